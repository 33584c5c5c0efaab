//! Responses: a status code, a content type and a body.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use http::{Response, StatusCode};

use crate::body::ResponseBody;
use crate::status::Status;

pub(crate) type Answered = Response<ResponseBody>;

pub(crate) fn respond(code: StatusCode, content_type: &str, body: ResponseBody) -> Answered {
    let mut response = Response::new(body);
    *response.status_mut() = code;
    if let Ok(value) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(CONTENT_TYPE, value);
    }
    response
}

pub(crate) fn json(code: StatusCode, body: Bytes) -> Answered {
    respond(code, "application/json", ResponseBody::whole(body))
}

pub(crate) fn json_stream(body: ResponseBody) -> Answered {
    respond(StatusCode::OK, "application/json", body)
}

pub(crate) fn refuse(status: &Status) -> Answered {
    let code = StatusCode::from_u16(status.code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json(code, status.to_bytes());
    if let Some(seconds) = status.retry_after() {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    response
}

/// What a path gets that no group serves.
pub(crate) fn page_not_found() -> Answered {
    text(StatusCode::NOT_FOUND, "404 page not found\n")
}

pub(crate) fn text(code: StatusCode, text: &'static str) -> Answered {
    respond(code, "text/plain; charset=utf-8", ResponseBody::whole(text))
}
