//! PostgreSQL's error codes: what each means for a call.

use sqlx::Postgres;
use sqlx::error::DatabaseError;

use crate::error::{Judge, Judgement};

/// What this database's own constraint says when an attempt is known already.
pub(super) const UNIQUE_VIOLATION: &str = "23505";
/// What a transaction of another isolation level than READ COMMITTED says when a row was changed since it began.
pub(super) const SERIALIZATION_FAILURE: &str = "40001";

impl Judge for Postgres {
    fn judge(error: &dyn DatabaseError) -> Judgement {
        error.code().map_or(Judgement::Final, |code| judge(&code))
    }
}

/// The SQLSTATE's meaning (PostgreSQL's manual, appendix A).
fn judge(code: &str) -> Judgement {
    match code {
        // serialization_failure, deadlock_detected, lock_not_available
        SERIALIZATION_FAILURE | "40P01" | "55P03" => Judgement::Retry,
        // undefined_table, invalid_schema_name
        "42P01" | "3F000" => Judgement::NoSchema,
        // read_only_sql_transaction: a standby that was a primary. query_canceled: by an operator or a timeout of the
        // server's. idle_in_transaction_session_timeout.
        "25006" | "57014" | "25P03" => Judgement::Passing,
        // connection_exception; insufficient_resources; from admin_shutdown to idle_session_timeout
        _ if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => Judgement::Passing,
        _ => Judgement::Final,
    }
}

/// Whether the database answered with this code.
pub(super) fn is(error: &sqlx::Error, code: &str) -> bool {
    error.as_database_error().and_then(DatabaseError::code).is_some_and(|found| found == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_code_means_what_the_manual_says() {
        let table = [
            (Judgement::Retry, &["40001", "40P01", "55P03"][..]),
            (Judgement::NoSchema, &["42P01", "3F000"]),
            (Judgement::Passing, &["08000", "08003", "08006", "08P01", "53000", "53100", "53200", "53300"]),
            (Judgement::Passing, &["57P01", "57P02", "57P03", "57P04", "57P05", "57014", "25006", "25P03"]),
            (Judgement::Final, &["23505", "42501", "42601", "22P05", "3D000", "28P01", "40002", "", "XX000"]),
        ];
        for (meaning, codes) in table {
            for code in codes {
                assert_eq!(judge(code), meaning, "{code}");
            }
        }
    }
}
