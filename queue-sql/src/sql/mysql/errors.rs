//! MySQL's and MariaDB's error numbers: what each means for a call.

use sqlx::MySql;
use sqlx::error::DatabaseError;
use sqlx::mysql::MySqlDatabaseError;

use crate::error::{Judge, Judgement};

impl Judge for MySql {
    fn judge(error: &dyn DatabaseError) -> Judgement {
        number(error).map_or(Judgement::Final, judge)
    }
}

fn number(error: &dyn DatabaseError) -> Option<u16> {
    error.try_downcast_ref::<MySqlDatabaseError>().map(MySqlDatabaseError::number)
}

/// The number's meaning (MySQL's "Server Error Message Reference", MariaDB's "Error Codes").
fn judge(number: u16) -> Judgement {
    match number {
        1205 | 1213 | 3572 // ER_LOCK_WAIT_TIMEOUT, ER_LOCK_DEADLOCK, ER_LOCK_NOWAIT
        | 1020 // ER_CHECKREAD: the row was changed since the snapshot (MariaDB, innodb_snapshot_isolation)
        | 1412 | 1615 // ER_TABLE_DEF_CHANGED, ER_NEED_REPREPARE: somebody altered the tables
        => Judgement::Retry,
        // ER_CON_COUNT_ERROR, ER_TOO_MANY_USER_CONNECTIONS, ER_USER_LIMIT_REACHED, ER_CANT_CREATE_THREAD
        1040 | 1203 | 1226 | 1135
        // ER_SERVER_SHUTDOWN, ER_NORMAL_SHUTDOWN, ER_GOT_SIGNAL, ER_SHUTDOWN_COMPLETE
        | 1053 | 1077..=1079
        | 1047 // ER_UNKNOWN_COM_ERROR: the node of a cluster is not ready (Galera)
        // ER_QUERY_INTERRUPTED, ER_CONNECTION_KILLED, ER_STATEMENT_TIMEOUT (MariaDB), ER_QUERY_TIMEOUT (MySQL)
        | 1317 | 1927 | 1969 | 3024
        // ER_OPTION_PREVENTS_STATEMENT, ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, ER_READ_ONLY_MODE: a replica that was
        // the primary
        | 1290 | 1792 | 1836
        // ER_DISK_FULL, ER_OUTOFMEMORY, ER_OUT_OF_RESOURCES, ER_RECORD_FILE_FULL
        | 1021 | 1037 | 1041 | 1114
        => Judgement::Passing,
        1049 | 1146 // ER_BAD_DB_ERROR, ER_NO_SUCH_TABLE
        => Judgement::NoSchema,
        _ => Judgement::Final,
    }
}

/// Whether the database answered that a table is missing.
pub(super) fn is_missing_table(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(number) == Some(1146)
}

/// Whether the database answered that a key is there already.
pub(super) fn is_duplicate(error: &sqlx::Error) -> bool {
    error.as_database_error().and_then(number) == Some(1062)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_means_what_the_manual_says() {
        let table = [
            (Judgement::Retry, &[1205, 1213, 3572, 1020, 1412, 1615][..]),
            (Judgement::Passing, &[1040, 1203, 1226, 1135, 1053, 1077, 1078, 1079, 1047]),
            (Judgement::Passing, &[1317, 1927, 1969, 3024, 1290, 1792, 1836, 1021, 1037, 1041, 1114]),
            (Judgement::NoSchema, &[1049, 1146]),
            (Judgement::Final, &[1044, 1045, 1054, 1062, 1064, 1076, 1080, 1142, 1153, 1227, 1366, 1406, 0]),
        ];
        for (meaning, numbers) in table {
            for &number in numbers {
                assert_eq!(judge(number), meaning, "{number}");
            }
        }
    }
}
