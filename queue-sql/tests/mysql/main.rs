//! What is particular to queues on MariaDB and MySQL.
