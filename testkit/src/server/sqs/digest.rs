//! Digests: the MD5 sums that the service answers, by which clients check what was stored.

use md5::{Digest, Md5};
use queue_core::AttributeValue;
use sha2::Sha256;

/// Of a body.
pub(super) fn md5(body: &str) -> String {
    hex(&Md5::digest(body))
}

/// Of attributes in the order of their names (Amazon SQS Developer Guide, "Calculating the MD5 message digest for
/// message attributes"); `None` if there are none.
pub(super) fn md5_of_attributes<'a>(
    attributes: impl IntoIterator<Item = (&'a str, &'a AttributeValue)>,
) -> Option<String> {
    let mut attributes = attributes.into_iter().peekable();
    attributes.peek()?;
    let mut digest = Md5::new();
    for (name, value) in attributes {
        field(&mut digest, name.as_bytes());
        field(&mut digest, value.data_type().as_bytes());
        let transport: u8 = if value.as_str().is_some() { 1 } else { 2 };
        digest.update([transport]);
        field(&mut digest, value.as_bytes());
    }
    Some(hex(&digest.finalize()))
}

/// What an ordered queue tells messages apart by that carry no deduplication id.
pub(in crate::server) fn sha256(body: &str) -> String {
    hex(&Sha256::digest(body))
}

/// Bytes behind their number in four bytes, the highest first.
fn field(digest: &mut Md5, bytes: &[u8]) {
    digest.update(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    digest.update(bytes);
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    bytes.iter().flat_map(digits).map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sums_are_those_that_the_service_answers() {
        assert_eq!(md5("msg"), "6e2baaf3b97dbeef01c0043275f9a0e7");
        assert_eq!(md5_of_attributes([]), None);
        let of = |name, value: AttributeValue| md5_of_attributes([(name, &value)]);
        assert_eq!(of("Foo", "Bar".into()).as_deref(), Some("ae7155c6026991b6d54b11589678bf9c"));
        assert_eq!(of("Hello", "There".into()).as_deref(), Some("a311262e065454b75da111d535b8dacd"));
        let number = AttributeValue::number("4563442423554324324264524243.32543234").with_label("float");
        assert_eq!(of("customNumberTypeAttrib", number).as_deref(), Some("9fe1b90bbd9965bdf77bac517c7d2495"));
        let bytes = AttributeValue::binary(*b"Hello binary world!");
        assert_eq!(of("binaryAttribute", bytes).as_deref(), Some("31a92b15d92f8db860eda32aceb656c3"));
    }

    #[test]
    fn the_sum_of_a_body_for_deduplication_is_sha_256() {
        assert_eq!(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
