//! Message queues in SQL databases.
