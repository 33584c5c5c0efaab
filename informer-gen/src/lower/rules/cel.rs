//! Expressions in CEL: whether they are such, and whether the fields that they name are there.
//!
//! A parser of the language tells the one. For the other, paths are followed from `self` and `oldSelf`, and from the
//! variables of macros, as far as schemas tell what they are; the rest is the server's business.

use cel::common::ast::{CallExpr, ComprehensionExpr, EntryExpr, Expr, LiteralValue, operators};
use cel::parser::{Expression, Parser};

use super::cel_type::Type;

/// Bytes of an expression that are looked into; longer ones are left to the server. The longest known has 1,400.
const MAX_LENGTH: usize = 4096;

/// The parser recurses, up to its own limit: what it needs for that without optimisation, four times over. Bytes.
pub(super) const STACK: usize = 64 << 20;

/// What is wrong with an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) message: String,
    /// What to do about it; may be empty.
    pub(super) hint: String,
}

/// What an expression is to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Boolean,
    Text,
}

/// What was found out about an expression.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Judged {
    /// What is wrong with it; `None` where nothing is known to be.
    pub(super) wrong: Option<Wrong>,
    /// Whether it asks for what was there before; `None` where that is not known.
    pub(super) uses_old_self: Option<bool>,
}

/// Judges an expression about a value of this type; to be called where there is a stack of [`STACK`].
pub(super) fn judge(expression: &str, of: Type<'_>, answer: Answer) -> Judged {
    if expression.len() > MAX_LENGTH { Judged::default() } else { parsed(expression, of, answer) }
}

fn parsed(expression: &str, of: Type<'_>, answer: Answer) -> Judged {
    let parser = Parser::new().enable_optional_syntax(true).enable_ident_escape_syntax(true);
    let parsed = match parser.parse(expression) {
        Ok(parsed) => parsed,
        Err(errors) => {
            // The server's limit of nesting is another.
            let too_deep = errors.errors.iter().any(|error| error.msg.contains("Recursion limit"));
            let wrong = errors.errors.first().filter(|_| !too_deep).map(|first| Wrong {
                message: format!("this is no expression in CEL: {}", stopped(expression, first.pos)),
                hint: String::new(),
            });
            return Judged { wrong, uses_old_self: None };
        }
    };
    let mut names = Names { of, variables: Vec::new(), wrong: None, uses_old_self: false };
    let value = names.look(&parsed);
    let wrong = names.wrong.or_else(|| no_answer(&parsed, value, answer));
    Judged { wrong, uses_old_self: Some(names.uses_old_self) }
}

/// What is wrong if an expression is known to give something else than it should.
fn no_answer(expression: &Expression, value: Type<'_>, answer: Answer) -> Option<Wrong> {
    let found = match &expression.expr {
        Expr::Ident(name) if WORDS.contains(&name.as_str()) && matches!(value, Type::Dyn) => "the name of a type",
        Expr::Literal(LiteralValue::Boolean(_)) if answer == Answer::Boolean => return None,
        Expr::Literal(LiteralValue::String(_)) if answer == Answer::Text => return None,
        Expr::List(_) | Expr::Map(_) => "a list or map",
        Expr::Literal(_) => "a value that never changes",
        Expr::Call(call) if answer == Answer::Boolean && CALCULATIONS.contains(&&*call.func_name) => {
            "the outcome of a calculation"
        }
        Expr::Call(call) if answer == Answer::Text && CALCULATIONS[1..].contains(&&*call.func_name) => "a number",
        Expr::Call(call) if answer == Answer::Text && DECISIONS.contains(&&*call.func_name) => "true or false",
        _ if answer == Answer::Boolean && !value.may_be_boolean() => "the value of a field",
        _ if answer == Answer::Text && !value.may_be_text() => "the value of a field",
        _ => return None,
    };
    let (wanted, hint) = match answer {
        Answer::Boolean => ("a rule must be true or false", "compare it with something"),
        Answer::Text => ("a message must be a text", "`string(…)` makes one"),
    };
    Some(Wrong { message: format!("{wanted}, but this is {found}"), hint: hint.to_owned() })
}

/// Functions that are never true or false, nor texts but for the first.
const CALCULATIONS: &[&str] = &[
    operators::ADD,
    operators::SUBSTRACT,
    operators::MULTIPLY,
    operators::DIVIDE,
    operators::MODULO,
    operators::NEGATE,
    "size",
];

/// Functions that are always true or false.
const DECISIONS: &[&str] = &[
    operators::LOGICAL_AND,
    operators::LOGICAL_OR,
    operators::LOGICAL_NOT,
    operators::EQUALS,
    operators::NOT_EQUALS,
    operators::GREATER,
    operators::GREATER_EQUALS,
    operators::LESS,
    operators::LESS_EQUALS,
    operators::IN,
];

/// Where the parser stopped, by what stands there.
fn stopped(expression: &str, (line, column): (isize, isize)) -> String {
    let [line, column] = [line, column].map(|number| usize::try_from(number - 1).unwrap_or(0));
    let line = expression.lines().nth(line).unwrap_or_default();
    let rest: String = line.chars().skip(column).take(20).collect();
    match rest.trim() {
        "" => "its end is missing".to_owned(),
        rest => format!("it goes wrong at `{rest}`"),
    }
}

/// Macros with a variable for the index or key, and one for the value.
const OF_TWO_VARIABLES: &[&str] =
    &["all", "exists", "existsOne", "exists_one", "transformList", "transformMap", "transformMapEntry"];

/// Macros with a variable for what an optional value holds.
const OF_OPTIONALS: &[&str] = &["optMap", "optFlatMap"];

/// What functions are found under, as in `ip.isCanonical('::1')`.
const NAMESPACES: &[&str] = &[
    "base64", "cel", "cidr", "format", "ip", "json", "lists", "math", "optional", "quantity", "regex", "semver",
    "sets", "strings", "url",
];

/// Words that are no fields and no variables: types, and the beginnings of their names.
const WORDS: &[&str] = &[
    "bool",
    "bytes",
    "double",
    "dyn",
    "google",
    "int",
    "kubernetes",
    "list",
    "map",
    "net",
    "null_type",
    "optional_type",
    "string",
    "timestamp",
    "duration",
    "type",
    "uint",
];

/// Follows names through an expression.
struct Names<'a> {
    /// What `self` is.
    of: Type<'a>,
    /// Those of the macros around, the innermost last.
    variables: Vec<(String, Type<'a>)>,
    /// The first thing that is wrong.
    wrong: Option<Wrong>,
    uses_old_self: bool,
}

impl<'a> Names<'a> {
    /// Looks through an expression and tells what its value is. Its depth is bounded by its length.
    fn look(&mut self, expression: &Expression) -> Type<'a> {
        match &expression.expr {
            Expr::Ident(name) => self.name(name),
            Expr::Select(select) => {
                let operand = match &select.operand.expr {
                    // The beginning of a type's name, perhaps.
                    Expr::Ident(name) if WORDS.contains(&name.as_str()) => Type::Dyn,
                    _ => self.look(&select.operand),
                };
                let of = self.field(operand, &select.operand, &select.field);
                if select.test { Type::Dyn } else { of }
            }
            Expr::Call(call) => self.call(call),
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::List(list) => {
                list.elements.iter().for_each(|element| _ = self.look(element));
                Type::Dyn
            }
            Expr::Map(map) => {
                for entry in &map.entries {
                    if let EntryExpr::MapEntry(entry) = &entry.expr {
                        self.look(&entry.key);
                        self.look(&entry.value);
                    }
                }
                Type::Dyn
            }
            Expr::Literal(_) | Expr::Struct(_) | Expr::Unspecified => Type::Dyn,
        }
    }

    fn call(&mut self, call: &CallExpr) -> Type<'a> {
        let target = match call.target.as_deref() {
            Some(Expression { expr: Expr::Ident(name), .. }) if self.is_namespace(name) => Type::Dyn,
            target => target.map_or(Type::Dyn, |target| self.look(target)),
        };
        // The parser leaves macros of two variables as they are.
        if let [first, second, body @ ..] = &*call.args
            && let (Expr::Ident(first), Expr::Ident(second)) = (&first.expr, &second.expr)
            && call.target.is_some()
            && OF_TWO_VARIABLES.contains(&&*call.func_name)
        {
            let before = self.variables.len();
            self.variables.extend([(first.clone(), Type::Dyn), (second.clone(), target.item())]);
            body.iter().for_each(|part| _ = self.look(part));
            self.variables.truncate(before);
            return Type::Dyn;
        }
        // Nor does it know those of one.
        if let ([variable, body], true) = (&*call.args, call.target.is_some())
            && let Expr::Ident(variable) = &variable.expr
        {
            // What is said of an optional value is said of what it holds.
            if OF_OPTIONALS.contains(&&*call.func_name) {
                // Their variables are used by what they are written out to.
                self.uses_old_self |= variable == "oldSelf";
                return self.with(variable, target, body);
            }
            if call.func_name == "sortBy" {
                self.with(variable, target.item(), body);
                return target;
            }
        }
        let values: Vec<Type<'a>> = call.args.iter().map(|argument| self.look(argument)).collect();
        match (&*call.func_name, &*call.args, &*values) {
            (operators::OPT_SELECT, [operand, field], [value, _]) => match &field.expr {
                Expr::Literal(LiteralValue::String(field)) => self.field(*value, operand, field.inner()),
                _ => Type::Dyn,
            },
            (operators::INDEX | operators::OPT_INDEX, _, [value, _]) => value.item(),
            // Both branches are of one type, or the server refuses it.
            (operators::CONDITIONAL, _, [_, value, _]) => *value,
            _ => Type::Dyn,
        }
    }

    /// Looks through the body of a macro with one variable.
    fn with(&mut self, variable: &str, of: Type<'a>, body: &Expression) -> Type<'a> {
        self.variables.push((variable.to_owned(), of));
        let value = self.look(body);
        self.variables.pop();
        value
    }

    /// What a macro is written out to: a loop over a range, or nothing but a name for a value.
    fn comprehension(&mut self, comprehension: &ComprehensionExpr) -> Type<'a> {
        let range = self.look(&comprehension.iter_range);
        if let Some(kind) = range.is_one_value() {
            let whose = path(&comprehension.iter_range).map_or("a value".to_owned(), |path| format!("`{path}`"));
            self.tell(
                format!("the rule goes through {whose}, which is of type {kind}"),
                "only lists and maps can be gone through".to_owned(),
            );
        }
        let begin = self.look(&comprehension.accu_init);
        let before = self.variables.len();
        match &comprehension.iter_var2 {
            // Keys of a map are texts of the user's choice.
            None => {
                let item = if range.is_list() { range.item() } else { Type::Dyn };
                self.variables.push((comprehension.iter_var.clone(), item));
            }
            Some(second) => {
                self.variables.push((comprehension.iter_var.clone(), Type::Dyn));
                self.variables.push((second.clone(), range.item()));
            }
        }
        self.variables.push((comprehension.accu_var.clone(), begin));
        for part in [&comprehension.loop_cond, &comprehension.loop_step, &comprehension.result] {
            self.look(part);
        }
        self.variables.truncate(before);
        Type::Dyn
    }

    fn variable(&self, name: &str) -> Option<Type<'a>> {
        let of_macro = self.variables.iter().rev().find(|(variable, _)| variable == name).map(|(_, of)| *of);
        of_macro.or_else(|| matches!(name, "self" | "oldSelf").then_some(self.of))
    }

    /// Whether a function is found under this name, rather than done to what it names.
    fn is_namespace(&self, name: &str) -> bool {
        let field = || self.of.field(name).is_ok();
        self.variable(name).is_none() && (NAMESPACES.contains(&name) || WORDS.contains(&name) || !field())
    }

    fn name(&mut self, name: &str) -> Type<'a> {
        // For the server a variable of that name is as good.
        self.uses_old_self |= name == "oldSelf";
        if let Some(of) = self.variable(name) {
            return of;
        }
        if !WORDS.contains(&name) {
            let hint = match self.of.field(name) {
                Ok(_) if !matches!(self.of, Type::Dyn) => format!("write `self.{name}`"),
                _ => "a rule knows `self`, and `oldSelf` for what was there before".to_owned(),
            };
            self.tell(format!("nothing is called `{name}` here"), hint);
        }
        Type::Dyn
    }

    fn field(&mut self, operand: Type<'a>, expression: &Expression, name: &str) -> Type<'a> {
        let fields = match operand.field(name) {
            Ok(of) => return of,
            Err(fields) => fields,
        };
        let whose = path(expression).map_or("what is before it".to_owned(), |path| format!("`{path}`"));
        let hint = match &*fields {
            [] => "it has no fields that a rule could name".to_owned(),
            fields if fields.len() > SHOWN => format!("among its fields are {}", fields[..SHOWN].join(", ")),
            fields => format!("its fields are {}", fields.join(", ")),
        };
        self.tell(format!("the rule names the field `{name}` of {whose}, which has none of that name"), hint);
        Type::Dyn
    }

    fn tell(&mut self, message: String, hint: String) {
        self.wrong.get_or_insert(Wrong { message, hint });
    }
}

/// Fields that a hint names.
const SHOWN: usize = 8;

/// A path as it is written.
fn path(expression: &Expression) -> Option<String> {
    let (mut expression, mut steps) = (expression, Vec::new());
    loop {
        match &expression.expr {
            Expr::Ident(name) => {
                steps.push(name.as_str());
                steps.reverse();
                return Some(steps.join("."));
            }
            Expr::Select(select) => {
                steps.push(&select.field);
                expression = &select.operand;
            }
            _ => return None,
        }
    }
}
