//! What can be asked for by HTTP: the page, its files, its socket, and reports.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{Path, RawQuery, Request, State, WebSocketUpgrade};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::Semaphore;

use super::assets::{ASSETS, Asset, INDEX};
use super::guard::{BARE_POLICY, HEADERS, REPORT_POLICY, secret};
use super::host::Host;
use super::{limits, page};
use houserule_picture::draw::svg::style_sheet;

/// All that can be asked for. Everything else is not found, so no path can lead out.
pub(super) fn router(host: Arc<Host>) -> Router {
    let pages = Arc::new(Semaphore::new(limits::PAGES));
    let socket = move |state, headers, upgrade| socket(state, headers, upgrade, Arc::clone(&pages));
    let mut router = Router::new()
        .route("/", get(index))
        .route("/ws", get(socket))
        .route("/board.css", get(board))
        .route("/report/{name}", get(report));
    for asset in &ASSETS {
        router = router.route(asset.path, get(|| async { file(asset) }));
    }
    router.with_state(Arc::clone(&host)).layer(from_fn_with_state(host, checked))
}

/// Refuses requests by a foreign name, and gives all answers their headers.
async fn checked(State(host): State<Arc<Host>>, request: Request, next: Next) -> Response {
    let refused = match () {
        () if !host.names.is_host(request.uri(), request.headers()) => Some(StatusCode::FORBIDDEN),
        () if ![Method::GET, Method::HEAD].contains(request.method()) => Some(StatusCode::METHOD_NOT_ALLOWED),
        () if has_body(request.headers()) => Some(StatusCode::PAYLOAD_TOO_LARGE),
        () => None,
    };
    let mut response = match refused {
        // A browser shows what it gets, and an empty page would say nothing.
        Some(StatusCode::FORBIDDEN) => (StatusCode::FORBIDDEN, host.names.advice()).into_response(),
        Some(status) => status.into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(name, value);
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(BARE_POLICY));
    response
}

/// Returns `true` if a request has more than its head. Nothing here reads it.
fn has_body(headers: &HeaderMap) -> bool {
    let length = headers.get(header::CONTENT_LENGTH);
    headers.contains_key(header::TRANSFER_ENCODING) || length.is_some_and(|length| length != "0")
}

async fn index(State(host): State<Arc<Host>>) -> Response {
    let Ok(nonce) = secret() else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let page = INDEX.replace("{{nonce}}", &nonce);
    answer("text/html; charset=utf-8", &host.names.page_policy(&nonce), page)
}

fn file(asset: &'static Asset) -> Response {
    answer(asset.kind, BARE_POLICY, asset.bytes)
}

/// The colours of boards.
async fn board() -> Response {
    answer("text/css; charset=utf-8", BARE_POLICY, style_sheet())
}

/// A report, in the theme of the page that shows it, if that isn't the system's: `?theme=dark`.
async fn report(
    State(host): State<Arc<Host>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    let Some(text) = host.report(&name) else { return StatusCode::NOT_FOUND.into_response() };
    let theme = match query.as_deref() {
        Some("theme=light") => " data-theme=\"light\"",
        Some("theme=dark") => " data-theme=\"dark\"",
        _ => "",
    };
    let text = text.replacen("<html lang=\"en\">", &format!("<html lang=\"en\"{theme}>"), 1);
    answer("text/html; charset=utf-8", REPORT_POLICY, text)
}

async fn socket(
    State(host): State<Arc<Host>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    pages: Arc<Semaphore>,
) -> Response {
    if !host.names.is_origin(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(wrong) => return wrong.into_response(),
    };
    let Ok(slot) = pages.try_acquire_owned() else { return StatusCode::SERVICE_UNAVAILABLE.into_response() };
    upgrade.max_message_size(limits::MESSAGE).max_frame_size(limits::MESSAGE).on_upgrade(
        async move |socket| {
            page::serve(socket, host).await;
            drop(slot);
        },
    )
}

fn answer(kind: &'static str, policy: &str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    if let Ok(policy) = HeaderValue::from_str(policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
