//! A JSON object that keeps the order of its keys, which is that of the rules.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};

/// Keys with values, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ordered<V>(pub Vec<(String, V)>);

impl<V> Ordered<V> {
    /// Returns the value of a key.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.0.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// Returns the value of a key, added with its default if missing.
    pub fn entry(&mut self, name: &str) -> &mut V
    where
        V: Default,
    {
        let at = self.0.iter().position(|(key, _)| key == name).unwrap_or_else(|| {
            self.0.push((name.to_owned(), V::default()));
            self.0.len() - 1
        });
        &mut self.0[at].1
    }
}

impl<V> Default for Ordered<V> {
    fn default() -> Self {
        Ordered(Vec::new())
    }
}

impl<V> FromIterator<(String, V)> for Ordered<V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        Ordered(entries.into_iter().collect())
    }
}

impl<V: Serialize> Serialize for Ordered<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in &self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for Ordered<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Entries<V> {
            type Value = Ordered<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Ordered<V>, A::Error> {
                let mut entries: Vec<(String, V)> = Vec::new();
                while let Some((key, value)) = access.next_entry::<String, V>()? {
                    if entries.iter().any(|(known, _)| *known == key) {
                        return Err(serde::de::Error::custom(format_args!("`{key}` stands there twice")));
                    }
                    entries.push((key, value));
                }
                Ok(Ordered(entries))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let text = r#"{"z":1,"a":2,"m":{"y":3,"b":4}}"#;
        let read: Ordered<serde_json::Value> = serde_json::from_str(text).unwrap();
        assert_eq!(read.0.iter().map(|(k, _)| k.as_str()).collect::<Vec<_>>(), ["z", "a", "m"]);
        let numbers: Ordered<u64> = serde_json::from_str(r#"{"z":1,"a":2}"#).unwrap();
        assert_eq!(serde_json::to_string(&numbers).unwrap(), r#"{"z":1,"a":2}"#);
    }

    #[test]
    fn an_entry_is_added_once() {
        let mut counts: Ordered<u64> = Ordered::default();
        *counts.entry("b") += 1;
        *counts.entry("a") += 1;
        *counts.entry("b") += 1;
        assert_eq!(counts.0, [("b".to_owned(), 2), ("a".to_owned(), 1)]);
        assert_eq!(counts.get("c"), None);
    }
}
