//! Mocks of the roles, by mockall.

use async_trait::async_trait;
use mockall::mock;

pub use crate::consumer::MockConsumer;
pub use crate::gate::MockPollGate;
pub use crate::inspect::MockInspect;
pub use crate::publisher::MockPublisher;
pub use crate::settler::MockSettler;

use crate::{
    Consumer, Delivery, Limits, MessageId, Outgoing, Publisher, QueueError, ReceiveLimits, ReceiveOptions,
    Rejected,
};

mock! {
    /// A mock of both roles of a queue.
    #[derive(Debug)]
    pub Queue {}

    #[async_trait]
    impl Publisher for Queue {
        async fn publish(&self, batch: Vec<Outgoing>) -> Vec<Result<MessageId, Rejected>>;
        fn limits(&self) -> Limits;
    }

    #[async_trait]
    impl Consumer for Queue {
        async fn receive(&self, options: ReceiveOptions) -> Result<Vec<Delivery>, QueueError>;
        fn receive_limits(&self) -> ReceiveLimits;
    }
}
