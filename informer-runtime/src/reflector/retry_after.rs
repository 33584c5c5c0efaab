//! How long a server asks to be left alone, out of the headers of its answer.

use std::time::Duration;

use http::HeaderMap;
use http::header::{DATE, HeaderName, RETRY_AFTER};

/// In seconds as kube-apiserver says it, or as a point in time, which gateways use. That one is measured from the
/// answer's own date: no two clocks are compared, and without a date it says nothing.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: HeaderName| headers.get(name)?.to_str().ok().map(str::trim);
    let wanted = text(RETRY_AFTER)?;
    if let Ok(seconds) = wanted.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(wanted).ok()?;
    let now = httpdate::parse_http_date(text(DATE)?).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait(after: &str, date: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, after.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        retry_after(&headers).map(|wait| wait.as_secs())
    }

    #[test]
    fn seconds_and_dates_are_read() {
        let now = Some("Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(wait("7", None), Some(7));
        assert_eq!(wait("18446744073709551615", None), Some(u64::MAX));
        assert_eq!(wait("Sun, 06 Nov 1994 08:50:07 GMT", now), Some(30));
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:07 GMT", now), Some(0));
        assert_eq!(wait("Sun, 06 Nov 1994 08:50:07 GMT", None), None);
        assert_eq!(wait("soon", now), None);
        assert_eq!(wait("-1", now), None);
    }
}
