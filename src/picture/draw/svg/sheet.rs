//! The styles of pictures with marked things, for the page that shows them.

use std::fmt::Write as _;

use super::palette;

/// The class of the pictures.
pub(super) const DRAWING: &str = "houserule-drawing";

/// The fonts.
const FONTS: &str = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

/// Returns the styles of all pictures with marked things: their fonts, and the colours of dark paper on dark screens,
/// or as `data-theme` of the page says, `light` or `dark`.
pub fn style_sheet() -> String {
    let dark = |whose: &str| -> String {
        let inks = palette::all().into_iter().filter(|ink| ink.light != ink.dark);
        let rules = inks.flat_map(|ink| {
            ["fill", "stroke"].map(|attribute| {
                let (light, dark) = (ink.light, ink.dark);
                format!("{whose} .{DRAWING} [{attribute}=\"{light}\"]{{{attribute}:{dark}}}")
            })
        });
        rules.collect()
    };
    let mut sheet = String::new();
    let _ = write!(sheet, ".{DRAWING}{{font-family:{FONTS};font-variant-numeric:tabular-nums}}");
    let _ = write!(sheet, "@media(prefers-color-scheme:dark){{{}}}", dark(":root:not([data-theme=light])"));
    let _ = write!(sheet, "{}", dark("[data-theme=dark]"));
    sheet
}
