//! Who may ask: hosts, origins and tokens, and the headers of all answers.
//!
//! A page on the internet can send requests to this machine, and by a name of its own that leads here (DNS rebinding).
//! It can't forge the headers `Host` and `Origin`, and doesn't know the token.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

/// The names under which the server is reached.
#[derive(Clone, Debug)]
pub(super) struct OwnNames {
    hosts: [String; 2],
    origins: [String; 2],
}

impl OwnNames {
    /// The names of this machine's own address, with a port.
    pub(super) fn new(port: u16) -> OwnNames {
        let hosts = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let origins = hosts.clone().map(|host| format!("http://{host}"));
        OwnNames { hosts, origins }
    }

    /// Returns `true` if a request is addressed to the server by one of its names.
    pub(super) fn is_host(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        uri.authority().is_none()
            && only(headers, header::HOST).is_some_and(|host| self.hosts.iter().any(|known| known == host))
    }

    /// Says to whom a request must be addressed, for people whose address names another machine or port.
    pub(super) fn advice(&self) -> String {
        let [first, second] = &self.hosts;
        let port = first.rsplit(':').next().unwrap_or_default();
        format!(
            "The workbench answers only at http://{first} and http://{second}, and the address of this page names \
             another host or port.\n\nIf the port is forwarded from another machine, forward the same port: ssh -L \
             {port}:localhost:{port} HOST. `houserule workbench --port N` chooses the port.\n\nThen open the address \
             that `houserule workbench` prints.\n"
        )
    }

    /// Returns `true` if a request comes from a page of the server.
    pub(super) fn is_origin(&self, headers: &HeaderMap) -> bool {
        only(headers, header::ORIGIN).is_some_and(|origin| self.origins.iter().any(|known| known == origin))
    }

    /// What the page may load: the server's own files and messages. Style sheets in the page have the nonce.
    pub(super) fn page_policy(&self, nonce: &str) -> String {
        let sockets = self.hosts.each_ref().map(|host| format!("ws://{host}")).join(" ");
        format!(
            "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; \
             connect-src 'self' {sockets}; frame-src 'self'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'"
        )
    }
}

/// What a report may load: nothing but its own style sheet and pictures. It runs no scripts.
pub(super) const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";

/// What everything else may load.
pub(super) const BARE_POLICY: &str = "default-src 'none'; frame-ancestors 'none'";

/// The headers of all answers.
pub(super) const HEADERS: [(HeaderName, HeaderValue); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("same-origin")),
    (HeaderName::from_static("cross-origin-opener-policy"), HeaderValue::from_static("same-origin")),
];

/// Returns the value of a header that comes once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next()?.to_str().ok()?;
    all.next().is_none().then_some(first)
}

/// Returns 128 random bits in hexadecimal.
pub(super) fn secret() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares two texts in a time that says nothing about where they differ.
pub(super) fn is_same(a: &str, b: &str) -> bool {
    let differing = a.bytes().zip(b.bytes()).fold(0, |bits, (a, b)| bits | (a ^ b));
    a.len() == b.len() && std::hint::black_box(differing) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_compared_whole() {
        let one = secret().expect("random bits");
        assert_eq!((one.len(), one == secret().expect("random bits")), (32, false));
        assert!(is_same(&one, &one.clone()) && is_same("", ""));
        assert!(!is_same(&one, &one[1..]) && !is_same("a", "b") && !is_same("ab", "aB") && !is_same("", "a"));
    }
}
