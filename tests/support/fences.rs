//! The fenced examples of a document.
#![allow(dead_code, unreachable_pub)]

/// A fenced block.
#[derive(Clone, Debug)]
pub struct Fence {
    /// The text after the opening fence.
    pub info: String,
    /// The line number of the block's first line of text, from 1.
    pub line: usize,
    /// The text of the block, with line ends.
    pub text: String,
}

/// Reads a document of this project.
pub fn document(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns every fenced block, in order.
pub fn fences(document: &str) -> Vec<Fence> {
    let mut found: Vec<Fence> = vec![];
    let mut open = false;
    for (number, line) in document.lines().enumerate() {
        match line.strip_prefix("```") {
            Some(info) if !open => {
                found.push(Fence { info: info.trim().to_owned(), line: number + 2, text: String::new() });
                open = true;
            }
            Some(rest) => {
                assert!(rest.trim().is_empty(), "line {}: a fence within a fence", number + 1);
                open = false;
            }
            None if open => {
                let fence = found.last_mut().expect("a fence is open");
                fence.text += line;
                fence.text.push('\n');
            }
            None => {}
        }
    }
    assert!(!open, "the last fence is never closed");
    found
}

/// Returns all code of a document: fenced blocks and inline code.
pub fn code(document: &str) -> String {
    let mut all = String::new();
    let mut fenced = false;
    for line in document.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            all += line;
        } else {
            line.split('`').skip(1).step_by(2).for_each(|part| {
                all += part;
                all.push('\n');
            });
        }
        all.push('\n');
    }
    all
}
