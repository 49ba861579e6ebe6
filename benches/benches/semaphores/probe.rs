//! Temporary probe.
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use benches::rate;
use sqlx::{Row, AssertSqlSafe};
use uuid::Uuid;
use crate::{pairs, site};

pub(crate) async fn probe(db: &str) -> anyhow::Result<()> {
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    let only = std::env::var("ONLY").ok();
    let t = Duration::from_millis(100);
    let missed = Arc::<AtomicU64>::default();
    let dir = tempfile::tempdir()?;
    let mut sums: Vec<(String, Vec<f64>)> = Vec::new();
    macro_rules! go { ($place:expr, $raw:expr) => {{
        let place = $place;
        let raw = $raw;
        pairs::permits(&place.semaphore, &missed).await;
        for round in 0..rounds {
            let mut one = Vec::new();
            let order: [usize; 3] = match round % 3 { 0 => [0,1,2], 1 => [1,2,0], _ => [2,0,1] };
            let mut got = [0.0; 3];
            for what in order {
                if only.as_deref().is_some_and(|o| o != what.to_string()) { continue; }
                got[what] = match what {
                    0 => pairs::permits(&place.semaphore, &missed).await,
                    1 => raw(place.pool.clone()).await,
                    _ => pairs::updates(&place.pool, &place.bare.update).await,
                };
            }
            one.extend(got);
            for (i, name) in ["ours", "raw", "updates"].iter().enumerate() {
                if sums.len() <= i { sums.push((name.to_string(), vec![])); }
                sums[i].1.push(one[i]);
            }
        }
    }}}
    let _ = t;
    match db {
        "sqlite" => go!(site::sqlite(dir.path()).await?, |pool: sqlx::SqlitePool| async move {
            let now = "(CAST(unixepoch('subsec') * 1000 AS INTEGER) * 1000)";
            let acq: Arc<str> = ACQ_S.replace("{now}", now).into();
            let rel: Arc<str> = REL_S.replace("{now}", now).into();
            rate(8, pairs::TIME, move |_| { let (pool, acq, rel) = (pool.clone(), acq.clone(), rel.clone()); async move {
                let token = Uuid::new_v4();
                let rows = sqlx::query(AssertSqlSafe(acq)).bind("bench").bind(10).bind(token).bind(None::<&str>).bind(60_000_000_i64).fetch_all(&pool).await.unwrap();
                let slot: i64 = rows[0].get(0);
                let rows = sqlx::query(AssertSqlSafe(rel)).bind("bench").bind(slot).bind(token).fetch_all(&pool).await.unwrap();
                assert_eq!(rows.len(), 1);
            }}).await
        }),
        "postgres" => { let place = site::postgres(benches::postgres().unwrap()).await?; let prefix = place.prefix.clone();
            go!(place, |pool: sqlx::PgPool| { let prefix = prefix.clone(); async move {
            let acq: Arc<str> = ACQ_P.replace("sem_slot", &format!("{prefix}slot")).into();
            let rel: Arc<str> = REL_P.replace("sem_slot", &format!("{prefix}slot")).into();
            rate(8, pairs::TIME, move |_| { let (pool, acq, rel) = (pool.clone(), acq.clone(), rel.clone()); async move {
                let token = Uuid::new_v4();
                let rows = sqlx::query(AssertSqlSafe(acq)).bind("bench").bind(10).bind(token).bind(None::<&str>).bind(60_000_000_i64).fetch_all(&pool).await.unwrap();
                let slot: i32 = rows[0].get(0);
                let row = sqlx::query(AssertSqlSafe(rel)).bind("bench").bind(slot).bind(token).fetch_optional(&pool).await.unwrap();
                assert!(row.is_some());
            }}).await
        }})},
        _ => { let place = site::mysql(benches::mysql().unwrap()).await?; let prefix = place.prefix.clone();
            go!(place, |pool: sqlx::MySqlPool| { let prefix = prefix.clone(); async move {
            let now = "TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))";
            let acq: Arc<str> = ACQ_M.replace("{now}", now).replace("sem_slot", &format!("{prefix}slot")).into();
            let rel: Arc<str> = REL_M.replace("{now}", now).replace("sem_slot", &format!("{prefix}slot")).into();
            rate(8, pairs::TIME, move |_| { let (pool, acq, rel) = (pool.clone(), acq.clone(), rel.clone()); async move {
                let token = Uuid::new_v4();
                let done = sqlx::query(AssertSqlSafe(acq)).bind(token).bind(None::<&str>).bind(60_000_000_i64).bind("bench".as_bytes()).bind(10_u16).execute(&pool).await.unwrap();
                let slot = (done.last_insert_id() & 0xffff) as u16;
                let done = sqlx::query(AssertSqlSafe(rel)).bind("bench".as_bytes()).bind(slot).bind(token).execute(&pool).await.unwrap();
                assert_eq!(done.rows_affected(), 1);
            }}).await
        }})},
    }
    let med = |mut v: Vec<f64>| { v.sort_by(f64::total_cmp); v[v.len() / 2] };
    for (name, all) in &sums { println!("{db} {name}: {:.0}", med(all.clone())); }
    let ratio = |a: usize, b: usize| med(sums[a].1.iter().zip(&sums[b].1).map(|(x, y)| x / y).collect());
    println!("{db} ours/updates {:.3} raw/updates {:.3} ours/raw {:.3} missed {missed:?}", ratio(0, 2), ratio(1, 2), ratio(0, 1));
    Ok(())
}

const ACQ_S: &str = "\
    INSERT INTO sem_slot (sem_key, slot, token, context, acquired_us, expires_us, fence) \
    SELECT ?1, pick.slot, ?3, ?4, {now}, {now} + ?5, (SELECT fence + 1 FROM sem_floor WHERE id = 1) \
    FROM (SELECT coalesce( \
        (SELECT slot FROM sem_slot \
         WHERE sem_key = ?1 AND slot < ?2 AND (token IS NULL OR expires_us <= {now}) ORDER BY slot LIMIT 1), \
        (SELECT count(*) FROM sem_slot WHERE sem_key = ?1 AND slot < ?2)) AS slot) AS pick \
    WHERE pick.slot < ?2 \
    ON CONFLICT (sem_key, slot) DO UPDATE SET token = excluded.token, context = excluded.context, \
      acquired_us = excluded.acquired_us, expires_us = excluded.expires_us, fence = sem_slot.fence + 1 \
    RETURNING slot, fence";
const REL_S: &str = "UPDATE sem_slot SET token = NULL, context = NULL, \
                acquired_us = expires_us > {now}, expires_us = min(expires_us, {now}) \
              WHERE sem_key = ?1 AND slot = ?2 AND token = ?3 RETURNING acquired_us";
const REL_P: &str = "UPDATE sem_slot SET token = NULL, context = NULL, expires_at = least(expires_at, clock_timestamp()) \
              WHERE sem_key = $1 AND slot = $2 AND token = $3 RETURNING expires_at >= now()";
const ACQ_P: &str = "\
    WITH free AS MATERIALIZED ( \
      SELECT slot FROM sem_slot \
      WHERE sem_key = $1 AND slot < $2 AND (token IS NULL OR expires_at <= now()) \
      ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED \
    ), taken AS ( \
      UPDATE sem_slot AS s SET token = $3, context = $4, acquired_at = clock_timestamp(), \
        expires_at = clock_timestamp() + $5::bigint * interval '1 microsecond', fence = s.fence + 1 \
      FROM free WHERE s.sem_key = $1 AND s.slot = free.slot RETURNING s.slot, s.fence \
    ) \
    SELECT slot, fence, NULL::bigint, NULL::bigint FROM taken \
    UNION ALL \
    SELECT NULL, NULL, count(*), count(*) FILTER (WHERE token IS NOT NULL AND expires_at > now()) \
    FROM sem_slot WHERE sem_key = $1 AND slot < $2 AND NOT EXISTS (SELECT 1 FROM taken)";
const REL_M: &str = "UPDATE sem_slot SET token = NULL, context = NULL, \
                expires_us = IF(LAST_INSERT_ID(expires_us > {now}), {now}, expires_us) \
              WHERE sem_key = ? AND slot = ? AND token = ?";
const ACQ_M: &str = "\
    UPDATE sem_slot FORCE INDEX (PRIMARY) SET token = ?, context = ?, \
      acquired_us = {now}, expires_us = {now} + ?, fence = LAST_INSERT_ID((fence + 1) * 65536 + slot) >> 16 \
    WHERE sem_key = ? AND slot < ? AND (token IS NULL OR expires_us <= {now} OR LAST_INSERT_ID(slot + 1) = 0) \
    LIMIT 1";
