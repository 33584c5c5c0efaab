//! Objects as they come in: checked, read, and made into entries.

use std::sync::Arc;

use crate::entry::{Entry, EntryMaker};
use crate::error::{Error, Kind};
use crate::head::{ScannedObject, scan_object};
use crate::json::Cursor;
use crate::wire::{EventType, LineTooLong, parse_event};

/// How much a batch may hold, in bytes of JSON and in objects, before it goes to the store.
const BATCH_BYTES: usize = 64 << 10;
const BATCH_OBJECTS: usize = 256;

/// What a batch holds so far.
#[derive(Debug, Default)]
pub(super) struct Fill {
    bytes: usize,
    objects: usize,
}

impl Fill {
    pub(super) fn add(&mut self, entry: &Entry) {
        self.bytes += entry.stored_bytes();
        self.objects += 1;
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes >= BATCH_BYTES || self.objects >= BATCH_OBJECTS
    }
}

impl From<LineTooLong> for Error {
    fn from(error: LineTooLong) -> Self {
        garbage("a watch", error)
    }
}

/// What was received is not what it should be.
pub(super) fn garbage(what: &'static str, detail: impl ToString) -> Error {
    Kind::Garbage { what, detail: detail.to_string() }.into()
}

/// One event of a watch.
#[derive(Debug)]
pub(super) enum Event {
    /// An object that this watch had not shown before.
    Add(Entry),
    /// One that it had.
    Put(Entry),
    Delete(Entry),
    Bookmark {
        version: Arc<str>,
        initial_events_end: bool,
    },
    /// The server ends the watch for this reason.
    Error(Error),
    /// An object that is not of this resource, or has no name: nothing can be done with it.
    Odd(Error),
}

/// Reads one line of a watch. An error means that the stream can't be trusted any more.
pub(super) fn read_event(maker: &mut EntryMaker, kind: &str, line: &[u8]) -> Result<Event, Error> {
    let line = std::str::from_utf8(line).map_err(|error| garbage("an event that is not UTF-8", error))?;
    let parsed = parse_event(line).map_err(|error| garbage("an event that is not JSON", error))?;
    let Some((event, object)) = parsed else {
        // Some servers and proxies put the reason for the end into the stream as it is.
        return match crate::error::Status::from_line(line) {
            Some(status) => Ok(Event::Error(Kind::Api(status).into())),
            None => Err(garbage("something else than an event", format!("{} bytes", line.len()))),
        };
    };
    match event {
        EventType::Error => {
            let status = crate::error::Status::from_event(&line[object.place]);
            return Ok(Event::Error(Kind::Api(status).into()));
        }
        EventType::Bookmark => {
            let version = object.resource_version.and_then(|version| version.value()).unwrap_or_default();
            return Ok(Event::Bookmark {
                version: Arc::from(&*version),
                initial_events_end: object.initial_events_end,
            });
        }
        EventType::Added | EventType::Modified | EventType::Deleted => {}
    }
    Ok(match make(maker, kind, line, &object) {
        Err(odd) => Event::Odd(odd),
        Ok(entry) if event == EventType::Deleted => Event::Delete(entry),
        Ok(entry) if event == EventType::Added => Event::Add(entry),
        Ok(entry) => Event::Put(entry),
    })
}

/// Reads one item of a list: a broken text is an error of the list, an odd object is one of itself.
pub(super) fn read_item(maker: &mut EntryMaker, kind: &str, item: &[u8]) -> Result<Result<Entry, Error>, Error> {
    let item = std::str::from_utf8(item).map_err(|error| garbage("an item that is not UTF-8", error))?;
    let mut cursor = Cursor::new(item);
    let object = scan_object(&mut cursor)
        .and_then(|object| cursor.end().map(|()| object))
        .map_err(|error| garbage("an item that is not JSON", error))?;
    Ok(make(maker, kind, item, &object))
}

fn make(maker: &mut EntryMaker, kind: &str, text: &str, object: &ScannedObject<'_>) -> Result<Entry, Error> {
    if let Some(found) = &object.kind
        && !found.with(|found| maker.admits(found))
    {
        return Err(garbage("an object of another kind", format!("{kind} expected")));
    }
    maker.make(text, object).ok_or_else(|| garbage("an object without a name", format!("{} bytes", text.len())))
}
