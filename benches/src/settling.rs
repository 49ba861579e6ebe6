//! The settling of a whole batch by hand: what a loop without a receiver does.

use std::sync::Arc;

use queue_core::Delivery;

/// Deletes all deliveries of one receive in one call.
///
/// # Cancel safety
/// Safe: what was not deleted comes back at its timeout.
///
/// # Panics
/// If one can't be deleted: what is measured would not be what it is called.
pub async fn delete_all(deliveries: Vec<Delivery>) {
    let Some(settler) = deliveries.first().map(|delivery| Arc::clone(delivery.settler())) else { return };
    let receipts = deliveries.iter().map(|delivery| delivery.receipt().clone()).collect();
    let answers = settler.delete(receipts).await;
    assert!(answers.iter().all(Result::is_ok), "a delete was refused");
    deliveries.into_iter().for_each(Delivery::forget);
}
