//! A server of a test's own: killed, started again, and what was committed is there.

use harness::{HarnessError, Proxy, Server, ServerKind};
use sqlx::{Connection, Executor, MySqlConnection, PgConnection, Row};

#[tokio::test]
#[ignore = "needs PostgreSQL: cargo xtask test"]
async fn a_postgresql_of_our_own_keeps_its_commits_and_its_port_over_a_kill() -> Result<(), HarnessError> {
    let mut server = Server::start_new(ServerKind::PostgreSql)?;
    let mut before = PgConnection::connect(&server.url()).await.unwrap();
    before.execute("create table kept (number int)").await.unwrap();
    before.execute("insert into kept values (7)").await.unwrap();
    server.kill();
    assert!(before.execute("select 1").await.is_err());
    assert!(PgConnection::connect(&server.url()).await.is_err());
    server.start()?;
    let proxy = Proxy::start(server.address()).await.unwrap();
    let mut after = PgConnection::connect(&proxy.url(&server.url())).await.unwrap();
    assert_eq!(after.fetch_one("select number from kept").await.unwrap().get::<i32, _>(0), 7);
    assert!(proxy.traffic().to_client > 0);
    Ok(())
}

#[tokio::test]
#[ignore = "needs MariaDB: cargo xtask test"]
async fn a_mariadb_of_our_own_keeps_its_commits_and_its_port_over_a_kill() -> Result<(), HarnessError> {
    let mut server = Server::start_new(ServerKind::MariaDb)?;
    let mut before = MySqlConnection::connect(&server.url()).await.unwrap();
    before.execute("create table kept (number int)").await.unwrap();
    before.execute("insert into kept values (7)").await.unwrap();
    server.kill();
    assert!(before.execute("select 1").await.is_err());
    server.start()?;
    let mut after = MySqlConnection::connect(&server.url()).await.unwrap();
    assert_eq!(after.fetch_one("select number from kept").await.unwrap().get::<i32, _>(0), 7);
    Ok(())
}
