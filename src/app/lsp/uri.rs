//! Addresses of documents as names of files, and back.

use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

use houserule_base::addresses::encode;
use houserule_base::files::replace;
use houserule_desk::service::bundled_text;
use houserule_loader::plain_path;

/// The file that an address names: a path, the name of a bundled file, or the address itself if it names no file.
pub(super) fn file_of(uri: &str) -> String {
    let Some(rest) = uri.strip_prefix("file://") else { return uri.to_owned() };
    // A host may precede the path.
    let path = rest.find('/').map_or(rest, |at| &rest[at..]);
    let path = decoded(path);
    let is_drive = |path: &str| path.as_bytes().get(2) == Some(&b':');
    let path = if cfg!(windows) && is_drive(&path) { &path[1..] } else { &path };
    let path = plain_path(Path::new(path));
    match bundled_of(&path) {
        Some(name) => name,
        None => path.display().to_string(),
    }
}

/// The address of a file. A bundled file is copied to a folder of the user's caches, where editors can open it.
pub(super) fn uri_of(file: &str) -> String {
    let path = match bundled_text(file) {
        Some(text) => copy_of(file, text).display().to_string(),
        None if !Path::new(file).is_absolute() => return file.to_owned(),
        None => file.to_owned(),
    };
    let path = if cfg!(windows) { format!("/{}", path.replace('\\', "/")) } else { path };
    format!("file://{}", encoded(&path))
}

fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let hex = |at: usize| bytes.get(at).and_then(|b| (*b as char).to_digit(16));
    let (mut found, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        match (byte, hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                found.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                found.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&found).into_owned()
}

fn encoded(path: &str) -> String {
    encode(path, |byte| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte))
}

/// The folder of the copies of bundled files.
fn copies() -> PathBuf {
    let caches = choose_base_strategy().map_or_else(|_| std::env::temp_dir(), |base| base.cache_dir());
    plain_path(&caches.join("houserule").join(concat!("bundled-", env!("CARGO_PKG_VERSION"))))
}

fn bundled_of(path: &Path) -> Option<String> {
    let name = path.strip_prefix(copies()).ok()?.to_str()?;
    let name = name.strip_suffix(".rules").unwrap_or(name);
    bundled_text(name).map(|_| name.to_owned())
}

/// Returns `true` if a file isn't bundled, or its copy is where editors can open it. Nothing may be writable there.
pub(super) fn can_be_opened(file: &str) -> bool {
    bundled_text(file).is_none_or(|text| copy_of(file, text).is_file())
}

/// The path of the copy of a bundled file, which is written if it is missing or from another version, and can be.
fn copy_of(name: &str, text: &str) -> PathBuf {
    let file = if name.contains('.') { name.to_owned() } else { format!("{name}.rules") };
    let path = copies().join(file);
    if std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
        return path;
    }
    let written = std::fs::create_dir_all(copies()).is_ok() && replace(&path, text.as_bytes()).is_ok();
    if let (true, Ok(metadata)) = (written, std::fs::metadata(&path)) {
        let mut permissions = metadata.permissions();
        permissions.set_readonly(true);
        // A copy that can be written is a copy still.
        let _ = std::fs::set_permissions(&path, permissions);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(not(windows))]
    fn paths_become_addresses_and_back() {
        for path in ["/a/b.rules", "/a b/ü%/c#1.rules", "/x/♣.rhai"] {
            assert_eq!(file_of(&uri_of(path)), path);
        }
        assert_eq!(uri_of("/a b/ü.rules"), "file:///a%20b/%C3%BC.rules");
        assert_eq!(file_of("file://localhost/a/../b%2Erules"), "/b.rules");
        assert_eq!(file_of("file:///a%zz%2"), "/a%zz%2");
        assert_eq!(
            (file_of("untitled:New 1"), uri_of("untitled:New 1")),
            ("untitled:New 1".into(), "untitled:New 1".into())
        );
    }
}
