//! The bundled fonts in a PDF file: only the glyphs in use, with their characters, so that text can be searched and
//! copied.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use subsetter::{GlyphRemapper, subset};
use ttf_parser::GlyphId;

use super::{Objects, packed};
use crate::lettering::{BOLD, REGULAR, face, glyph, units_per_em};

/// Lengths in the description of a font are thousandths of an em.
const UNITS: f32 = 1000.0;

const CHARACTERS: SystemInfo<'static> =
    SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// A font of a file, with the glyphs that its texts use.
pub(super) struct EmbeddedFont {
    bold: bool,
    /// The numbers of the glyphs in the file.
    glyphs: GlyphRemapper,
    /// The character of each glyph.
    characters: BTreeMap<u16, char>,
}

impl EmbeddedFont {
    pub(super) fn new(bold: bool) -> Self {
        EmbeddedFont { bold, glyphs: GlyphRemapper::new(), characters: BTreeMap::new() }
    }

    pub(super) fn is_used(&self) -> bool {
        !self.characters.is_empty()
    }

    /// Returns the name by which pages select the font.
    pub(super) fn name(&self) -> &'static str {
        if self.bold { "bold" } else { "regular" }
    }

    /// Returns the codes of a text, and notes its glyphs.
    pub(super) fn encoded(&mut self, text: &str) -> Vec<u8> {
        let Some(face) = face(self.bold) else { return vec![] };
        let code = |character: char| {
            let code = self.glyphs.remap(glyph(face, character).0);
            self.characters.entry(code).or_insert(character);
            code.to_be_bytes()
        };
        text.chars().flat_map(code).collect()
    }

    /// Adds the font to a file.
    pub(super) fn write(&self, file: &mut Pdf, objects: &mut Objects) -> Result<Ref, String> {
        let [font, cid, descriptor, data, cmap] = std::array::from_fn(|_| objects.next());
        let face = face(self.bold).ok_or("the font can't be read")?;
        let kept = subset(if self.bold { BOLD } else { REGULAR }, 0, &self.glyphs)
            .map_err(|error| format!("the font can't be embedded: {error}"))?;
        let embedded = packed(&kept);
        let mut stream = file.stream(data, &embedded);
        stream.filter(Filter::FlateDecode).pair(Name(b"Length1"), kept.len() as i32);
        stream.finish();
        let base = self.base_name();
        let base = Name(base.as_bytes());
        file.type0_font(font)
            .base_font(base)
            .encoding_predefined(Name(b"Identity-H"))
            .descendant_font(cid)
            .to_unicode(cmap);
        let scale = UNITS / units_per_em(self.bold);
        let width = |glyph| f32::from(face.glyph_hor_advance(GlyphId(glyph)).unwrap_or(0)) * scale;
        let mut told = file.cid_font(cid);
        told.subtype(CidFontType::Type2).base_font(base).system_info(CHARACTERS);
        told.font_descriptor(descriptor).cid_to_gid_map_predefined(Name(b"Identity"));
        told.widths().consecutive(0, self.glyphs.remapped_gids().map(width));
        told.finish();
        let sizes = face.global_bounding_box();
        let [left, low, right, high] =
            [sizes.x_min, sizes.y_min, sizes.x_max, sizes.y_max].map(|length| f32::from(length) * scale);
        file.font_descriptor(descriptor)
            .name(base)
            .flags(FontFlags::NON_SYMBOLIC)
            .bbox(Rect::new(left, low, right, high))
            .italic_angle(0.0)
            .ascent(f32::from(face.ascender()) * scale)
            .descent(f32::from(face.descender()) * scale)
            .cap_height(f32::from(face.capital_height().unwrap_or(face.ascender())) * scale)
            // The width of upright stems. Only viewers that can't read the embedded font use it.
            .stem_v(if self.bold { 165.0 } else { 80.0 })
            .font_file2(data);
        let mut characters = UnicodeCmap::new(Name(b"Characters"), CHARACTERS);
        self.characters.iter().for_each(|(code, character)| characters.pair(*code, *character));
        file.cmap(cmap, &packed(&characters.finish())).filter(Filter::FlateDecode);
        Ok(font)
    }

    /// Returns the name of the font in the file: six letters that depend on its glyphs, then that of the original.
    fn base_name(&self) -> String {
        let sum = self
            .glyphs
            .remapped_gids()
            .fold(1u32, |sum, glyph| sum.wrapping_mul(31).wrapping_add(u32::from(glyph)));
        let letters = (0..6).map(|at| char::from(b'A' + (sum / 26u32.pow(at) % 26) as u8));
        let tag: String = letters.collect();
        format!("{tag}+DejaVuSansCondensed{}", if self.bold { "-Bold" } else { "" })
    }
}
