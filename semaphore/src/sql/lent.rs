//! A connection lent by the pool, which goes back only if nothing was left half done on it.

use sqlx::Pool;
use sqlx::pool::PoolConnection;

use super::Dialect;

/// A connection of the pool.
///
/// # Drop
/// Unless [`give_back`](Self::give_back) was called, it is taken out of the pool and closed: a call that was dropped or
/// ran into its deadline has left an answer on its way, or a server that answers nothing and would keep the pool's own
/// check waiting.
pub(super) struct Lent<D: Dialect> {
    connection: Option<PoolConnection<D>>,
}

impl<D: Dialect> Lent<D> {
    pub(super) async fn from(pool: &Pool<D>) -> Result<Self, sqlx::Error> {
        Ok(Self { connection: Some(pool.acquire().await?) })
    }

    /// The connection itself.
    pub(super) fn connection(&mut self) -> Result<&mut D::Connection, sqlx::Error> {
        self.connection.as_deref_mut().ok_or(sqlx::Error::PoolClosed)
    }

    /// Returns it to the pool.
    pub(super) fn give_back(mut self) {
        drop(self.connection.take());
    }
}

impl<D: Dialect> Drop for Lent<D> {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if D::SOUND_WHEN_DROPPED {
            drop(connection);
        } else {
            drop(connection.detach());
        }
    }
}
