//! What an error of MySQL or `MariaDB` means.

use sqlx::error::DatabaseError;
use sqlx::mysql::MySqlDatabaseError;

use crate::sql::fault::Fault;

/// Judges by the error's number: SQLSTATE is coarse here.
pub(super) fn judge(error: &dyn DatabaseError) -> Fault {
    error.try_downcast_ref::<MySqlDatabaseError>().map_or(Fault::PERMANENT, |error| by_number(error.number()))
}

/// See <https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html> and
/// <https://mariadb.com/kb/en/mariadb-error-codes/>.
fn by_number(number: u16) -> Fault {
    match number {
        1205 | 1213 => Fault::AGAIN, // lock wait timeout, deadlock
        1054 | 1146 => Fault::NO_TABLES,
        1290 | 1792 | 1836 => Fault::READ_ONLY,
        1044 | 1045 | 1698 => Fault::CREDENTIALS,
        // disk, memory, connections; interrupted, over its time
        1021 | 1037 | 1038 | 1040 | 1041 | 1203 | 1226 | 1317 | 1969 | 3024 => Fault::TRANSIENT,
        1053 | 1077 | 1079 | 1080 | 1152 | 1158..=1161 | 1184 | 1927 | 4031 => Fault::CUT_OFF, // shut down, cut
        _ => Fault::PERMANENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_number_has_its_meaning() {
        let table = [
            (1205, Fault::AGAIN),
            (1213, Fault::AGAIN),
            (1146, Fault::NO_TABLES),
            (1290, Fault::READ_ONLY),
            (1836, Fault::READ_ONLY),
            (1045, Fault::CREDENTIALS),
            (1040, Fault::TRANSIENT),
            (1317, Fault::TRANSIENT),
            (1053, Fault::CUT_OFF),
            (1927, Fault::CUT_OFF),
            (1049, Fault::PERMANENT), // unknown database
            (1142, Fault::PERMANENT), // no privilege on the table
            (1064, Fault::PERMANENT), // syntax
        ];
        for (number, fault) in table {
            assert_eq!(by_number(number), fault, "{number}");
        }
    }
}
