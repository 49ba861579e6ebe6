//! Rows: how columns are read that the driver has no type for here.

use std::string::FromUtf8Error;

use sqlx::Row;
use sqlx::mysql::MySqlRow;
use uuid::Uuid;

/// Reads a `BINARY(16)`.
pub(super) fn id(row: &MySqlRow, column: usize) -> Result<Uuid, sqlx::Error> {
    let bytes: &[u8] = row.try_get(column)?;
    Uuid::from_slice(bytes).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Reads a `BINARY(16)` that may be null.
pub(super) fn id_or_none(row: &MySqlRow, column: usize) -> Result<Option<Uuid>, sqlx::Error> {
    let bytes: Option<&[u8]> = row.try_get(column)?;
    let id = bytes.map(Uuid::from_slice).transpose();
    id.map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Reads text, which is stored as bytes.
pub(super) fn text(row: &MySqlRow, column: usize) -> Result<String, sqlx::Error> {
    let bytes: Vec<u8> = row.try_get(column)?;
    String::from_utf8(bytes).map_err(not_text)
}

/// Reads text that may be null.
pub(super) fn text_or_none(row: &MySqlRow, column: usize) -> Result<Option<String>, sqlx::Error> {
    let bytes: Option<Vec<u8>> = row.try_get(column)?;
    bytes.map(String::from_utf8).transpose().map_err(not_text)
}

/// Reads a number that is never below nothing.
pub(super) fn count(row: &MySqlRow, column: usize) -> Result<u32, sqlx::Error> {
    let count: i64 = row.try_get(column)?;
    Ok(u32::try_from(count).unwrap_or(0))
}

fn not_text(error: FromUtf8Error) -> sqlx::Error {
    sqlx::Error::Decode(error.into())
}
