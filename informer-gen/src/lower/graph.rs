//! Graphs of definitions: which of them are on a circle.

/// The parts of a graph within which every node leads to every other one (its strongly connected components), each
/// before those that lead to it. `edges` has the followers of each node; numbers that are no node count for nothing.
///
/// Tarjan's way, with a stack of its own in place of recursion.
pub(crate) fn components(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut walk = Walk {
        edges,
        order: vec![None; edges.len()],
        lowest: vec![0; edges.len()],
        waiting: vec![false; edges.len()],
        stack: Vec::new(),
        met: 0,
        found: Vec::new(),
    };
    for node in 0..edges.len() {
        if walk.order[node].is_none() {
            walk.from(node);
        }
    }
    walk.found
}

struct Walk<'e> {
    edges: &'e [Vec<usize>],
    /// When a node was met.
    order: Vec<Option<usize>>,
    /// The earliest node on the stack that a node leads to.
    lowest: Vec<usize>,
    /// Whether a node is on the stack.
    waiting: Vec<bool>,
    stack: Vec<usize>,
    /// How many nodes were met.
    met: usize,
    found: Vec<Vec<usize>>,
}

impl Walk<'_> {
    fn from(&mut self, first: usize) {
        let nodes = self.edges.len();
        let mut open = vec![(first, 0)];
        self.meet(first);
        while let Some((node, next)) = open.pop() {
            let Some(&follower) = self.edges[node].get(next) else {
                self.leave(node);
                if let Some((before, _)) = open.last() {
                    self.lowest[*before] = self.lowest[*before].min(self.lowest[node]);
                }
                continue;
            };
            open.push((node, next + 1));
            if follower >= nodes {
                continue;
            }
            match self.order[follower] {
                None => {
                    self.meet(follower);
                    open.push((follower, 0));
                }
                Some(order) if self.waiting[follower] => self.lowest[node] = self.lowest[node].min(order),
                Some(_) => {}
            }
        }
    }

    fn meet(&mut self, node: usize) {
        self.order[node] = Some(self.met);
        self.lowest[node] = self.met;
        self.waiting[node] = true;
        self.stack.push(node);
        self.met += 1;
    }

    /// The last look at a node: a component is whole if nothing in it leads further back.
    fn leave(&mut self, node: usize) {
        if self.order[node] != Some(self.lowest[node]) {
            return;
        }
        let mut component = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.waiting[member] = false;
            component.push(member);
            if member == node {
                break;
            }
        }
        component.sort_unstable();
        self.found.push(component);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn circles_are_found_and_come_after_what_they_lead_to() {
        let edges = [vec![1], vec![2], vec![0, 3], vec![3], vec![1], vec![99]];
        assert_eq!(components(&edges), [vec![3], vec![0, 1, 2], vec![4], vec![5]]);
        assert!(components(&[]).is_empty());
    }

    #[test]
    fn a_long_chain_and_a_long_circle_take_no_stack() {
        let long = 200_000;
        let mut edges: Vec<Vec<usize>> = (0..long).map(|node| vec![node + 1]).collect();
        assert_eq!(components(&edges).len(), long);
        edges[long - 1] = vec![0];
        assert_eq!(components(&edges).len(), 1);
    }
}
