//! A client that sends what it is told, byte for byte, over one connection.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use serde_json::Value;
use testkit::server::{SqsServer, SqsServerOptions};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Far longer than anything takes that is answered.
const PATIENCE: Duration = Duration::from_secs(30);

/// A server and a connection to it.
pub(crate) struct Client {
    pub(crate) server: SqsServer,
    pub(crate) stream: TcpStream,
}

/// An answer, with its headers in lower case.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The error's status, name and older code.
    pub(crate) fn error(&self) -> (u16, String, Option<&str>) {
        let name = self.json()["__type"].as_str().unwrap_or_default().to_owned();
        (self.status, name, self.headers.get("x-amzn-query-error").map(String::as_str))
    }

    /// The text of the first XML element of a name.
    pub(crate) fn xml(&self, element: &str) -> &str {
        let inside = self.body.split_once(&format!("<{element}>")).map_or("", |(_, after)| after);
        inside.split_once("</").map_or("", |(text, _)| text)
    }
}

impl Client {
    pub(crate) async fn new() -> Self {
        Self::with_options(SqsServerOptions::default()).await
    }

    pub(crate) async fn with_options(options: SqsServerOptions) -> Self {
        let server = SqsServer::start_with(options).await.unwrap();
        let stream = connect(&server).await;
        Self { server, stream }
    }

    /// Connects anew.
    pub(crate) async fn reconnect(&mut self) {
        self.stream = connect(&self.server).await;
    }

    /// Calls SQS, and expects an answer.
    pub(crate) async fn sqs(&mut self, operation: &str, input: &Value) -> Answer {
        self.try_sqs(operation, input).await.unwrap()
    }

    pub(crate) async fn try_sqs(&mut self, operation: &str, input: &Value) -> io::Result<Answer> {
        self.send_sqs(operation, input).await;
        self.answer().await
    }

    /// Sends a call of SQS and leaves its answer unread.
    pub(crate) async fn send_sqs(&mut self, operation: &str, input: &Value) {
        let head = format!("{JSON}X-Amz-Target: AmazonSQS.{operation}\r\n{AUTHORIZED}");
        self.send("POST / ", &head, &input.to_string()).await;
    }

    /// Calls SNS, and expects an answer.
    pub(crate) async fn sns(&mut self, operation: &str, parameters: &[(&str, &str)]) -> Answer {
        let all = [&[("Action", operation), ("Version", "2010-03-31")], parameters].concat();
        let form = form_urlencoded::Serializer::new(String::new()).extend_pairs(all).finish();
        self.send("POST / ", &format!("{FORM}{AUTHORIZED}"), &form).await;
        self.answer().await.unwrap()
    }

    /// Makes a queue and answers with its URL.
    pub(crate) async fn queue(&mut self, name: &str) -> String {
        let answer = self.sqs("CreateQueue", &serde_json::json!({ "QueueName": name })).await;
        answer.json()["QueueUrl"].as_str().unwrap_or_else(|| panic!("{answer:?}")).to_owned()
    }

    /// Asks for one of the server's own paths.
    pub(crate) async fn control(&mut self, line: &str, body: &str) -> Answer {
        self.send(&format!("{line} "), "", body).await;
        self.answer().await.unwrap()
    }

    /// Sends a request; `head` are whole lines.
    pub(crate) async fn send(&mut self, line: &str, head: &str, body: &str) {
        let request = format!("{}{body}", with_length(line, head, body.len()));
        self.stream.write_all(request.as_bytes()).await.unwrap();
    }

    /// Sends a request's head alone.
    pub(crate) async fn send_head(&mut self, line: &str, head: &str, length: usize) {
        let head = with_length(line, head, length);
        self.stream.write_all(head.as_bytes()).await.unwrap();
    }

    /// Reads an answer; `ConnectionReset` and `UnexpectedEof` tell how a connection ended instead.
    pub(crate) async fn answer(&mut self) -> io::Result<Answer> {
        timeout(PATIENCE, read(&mut self.stream)).await.expect("an answer in time")
    }
}

pub(crate) async fn read(stream: &mut TcpStream) -> io::Result<Answer> {
    let head = read_head(stream).await?;
    let mut lines = head.trim_end().split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).unwrap().parse().unwrap();
    let header =
        |line: &str| line.split_once(": ").map(|(name, value)| (name.to_lowercase(), value.to_owned()));
    let headers: BTreeMap<String, String> = lines.filter_map(header).collect();
    let mut body = vec![0; headers["content-length"].parse().unwrap()];
    stream.read_exact(&mut body).await?;
    Ok(Answer { status, headers, body: String::from_utf8(body).unwrap() })
}

async fn read_head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    Ok(String::from_utf8(head).unwrap())
}

pub(crate) const JSON: &str = "Content-Type: application/x-amz-json-1.0\r\n";
pub(crate) const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";
pub(crate) const AUTHORIZED: &str = "Authorization: AWS4-HMAC-SHA256 Credential=any\r\n";

async fn connect(server: &SqsServer) -> TcpStream {
    TcpStream::connect(server.endpoint_url().trim_start_matches("http://")).await.unwrap()
}

fn with_length(line: &str, head: &str, length: usize) -> String {
    format!("{line}HTTP/1.1\r\nHost: localhost\r\n{head}Content-Length: {length}\r\n\r\n")
}
