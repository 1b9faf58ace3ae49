//! Text in addresses.

/// Writes each byte of a text that `keeps` refuses as `%` and two hexadecimal digits (RFC 3986).
///
/// ```
/// use houserule_base::addresses::encode;
///
/// assert_eq!(encode("a/b c", |byte| byte.is_ascii_alphanumeric() || byte == b'/'), "a/b%20c");
/// ```
pub fn encode(text: &str, keeps: impl Fn(u8) -> bool) -> String {
    let mut address = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte.is_ascii() && keeps(byte) {
            true => address.push(byte.into()),
            false => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}
