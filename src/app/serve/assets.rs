//! The page itself, compiled into the program.

/// A file of the page.
pub(super) struct Asset {
    pub(super) path: &'static str,
    pub(super) kind: &'static str,
    pub(super) bytes: &'static [u8],
}

/// The page. `{{nonce}}` in it stands for the nonce of its style sheets.
pub(super) const INDEX: &str = include_str!("../../../workbench/dist/index.html");

/// The other files of the page.
pub(super) const ASSETS: [Asset; 2] = [
    Asset {
        path: "/page.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../../workbench/dist/page.js"),
    },
    Asset {
        path: "/page.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../../../workbench/dist/page.css"),
    },
];
