"""What a program that uses boto3 does with queues and topics. Its argument is the endpoint; what is wrong ends it."""

import json
import sys

import boto3
from botocore.config import Config

SETTINGS = dict(
    endpoint_url=sys.argv[1],
    region_name="eu-west-1",
    aws_access_key_id="test",
    aws_secret_access_key="test",
    config=Config(retries={"total_max_attempts": 1}),
)
sqs = boto3.client("sqs", **SETTINGS)
sns = boto3.client("sns", **SETTINGS)


def arn(url):
    return sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]


def receive(url, **options):
    options = dict(MaxNumberOfMessages=10, MessageSystemAttributeNames=["All"], MessageAttributeNames=["All"]) | options
    return sqs.receive_message(QueueUrl=url, **options).get("Messages", [])


def code_of(call, **parameters):
    try:
        answer = call(**parameters)
    except sqs.exceptions.ClientError as error:
        return error.response["Error"]["Code"], error.response["ResponseMetadata"]["HTTPStatusCode"]
    raise AssertionError(f"no error: {answer}")


def a_standard_queue():
    dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
    redrive = json.dumps({"deadLetterTargetArn": arn(dead), "maxReceiveCount": 1})
    url = sqs.create_queue(QueueName="visits", Attributes={"RedrivePolicy": redrive, "VisibilityTimeout": "0"})["QueueUrl"]
    assert sqs.get_queue_url(QueueName="visits")["QueueUrl"] == url
    assert set(sqs.list_queues()["QueueUrls"]) == {dead, url}
    assert sqs.list_dead_letter_source_queues(QueueUrl=dead)["queueUrls"] == [url]
    # boto3 compares the digest of the body and of the attributes with its own.
    attributes = {
        "text": {"DataType": "String", "StringValue": "ä"},
        "number": {"DataType": "Number.int", "StringValue": "7"},
        "bytes": {"DataType": "Binary", "BinaryValue": b"\x00\xff"},
    }
    sqs.send_message(QueueUrl=url, MessageBody="<ü> &", MessageAttributes=attributes)
    (message,) = receive(url, VisibilityTimeout=30)
    assert message["Body"] == "<ü> &" and message["MessageAttributes"] == attributes, message
    assert message["Attributes"]["ApproximateReceiveCount"] == "1", message
    sqs.change_message_visibility(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0)
    assert receive(url) == []  # it was received as often as it may be
    (message,) = receive(dead)
    sqs.delete_message(QueueUrl=dead, ReceiptHandle=message["ReceiptHandle"])
    entries = [{"Id": "a", "MessageBody": "a"}, {"Id": "b", "MessageBody": "b", "DelaySeconds": 901}]
    answer = sqs.send_message_batch(QueueUrl=url, Entries=entries)
    assert [entry["Id"] for entry in answer["Successful"]] == ["a"], answer
    assert [(entry["Id"], entry["SenderFault"]) for entry in answer["Failed"]] == [("b", True)], answer


def a_fifo_queue():
    fifo = {"FifoQueue": "true", "ContentBasedDeduplication": "true"}
    url = sqs.create_queue(QueueName="visits.fifo", Attributes=fifo)["QueueUrl"]
    for body in ["1", "2", "2", "3"]:
        sqs.send_message(QueueUrl=url, MessageBody=body, MessageGroupId="group")
    messages = receive(url)
    assert [message["Body"] for message in messages] == ["1", "2", "3"], messages
    receipts = [{"Id": message["Body"], "ReceiptHandle": message["ReceiptHandle"]} for message in messages]
    assert len(sqs.delete_message_batch(QueueUrl=url, Entries=receipts)["Successful"]) == 3
    assert code_of(sqs.send_message, QueueUrl=url, MessageBody="a") == ("MissingParameter", 400)


def mistakes():
    url = sqs.create_queue(QueueName="mistakes")["QueueUrl"]
    try:
        sqs.get_queue_url(QueueName="nowhere")
        raise AssertionError("there is no such queue")
    except sqs.exceptions.QueueDoesNotExist as error:
        # The code of the query protocol, which the header x-amzn-query-error keeps alive.
        assert error.response["Error"]["Code"] == "AWS.SimpleQueueService.NonExistentQueue", error.response
    try:
        sqs.delete_message(QueueUrl=url, ReceiptHandle="nonsense")
        raise AssertionError("this is no receipt")
    except sqs.exceptions.ReceiptHandleIsInvalid:
        pass
    same = [{"Id": "a", "MessageBody": "a"}, {"Id": "a", "MessageBody": "b"}]
    try:
        sqs.send_message_batch(QueueUrl=url, Entries=same)
        raise AssertionError("both entries have one id")
    except sqs.exceptions.BatchEntryIdsNotDistinct:
        pass
    assert code_of(sqs.receive_message, QueueUrl=url, MaxNumberOfMessages=11)[1] == 400
    assert code_of(sns.publish, TopicArn="arn:aws:sns:eu-west-1:000000000000:nowhere", Message="a") == ("NotFound", 404)


def a_topic():
    topic = sns.create_topic(Name="changes")["TopicArn"]
    urls = {}
    for name, raw in [("raw", "true"), ("enveloped", "false")]:
        urls[name] = url = sqs.create_queue(QueueName=name)["QueueUrl"]
        policy = {
            "Version": "2012-10-17",
            "Statement": [
                {
                    "Effect": "Allow",
                    "Principal": {"Service": "sns.amazonaws.com"},
                    "Action": "sqs:SendMessage",
                    "Resource": arn(url),
                    "Condition": {"ArnEquals": {"aws:SourceArn": topic}},
                }
            ],
        }
        sqs.set_queue_attributes(QueueUrl=url, Attributes={"Policy": json.dumps(policy)})
        options = {"RawMessageDelivery": raw, "FilterPolicy": json.dumps({"kind": ["made"]})}
        sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn(url), Attributes=options)
    made, gone = ({"kind": {"DataType": "String", "StringValue": kind}} for kind in ("made", "gone"))
    entries = [
        {"Id": "1", "Message": "made", "MessageAttributes": made},
        {"Id": "2", "Message": "gone", "MessageAttributes": gone},
    ]
    answer = sns.publish_batch(TopicArn=topic, PublishBatchRequestEntries=entries)
    assert len(answer["Successful"]) == 2 and not answer["Failed"], answer
    (message,) = receive(urls["raw"], WaitTimeSeconds=5)
    assert message["Body"] == "made" and message["MessageAttributes"] == made, message
    (message,) = receive(urls["enveloped"], WaitTimeSeconds=5)
    envelope = json.loads(message["Body"])
    assert envelope["TopicArn"] == topic and envelope["Message"] == "made", envelope
    assert envelope["MessageAttributes"] == {"kind": {"Type": "String", "Value": "made"}}, envelope
    assert len(sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]) == 2


for test in (a_standard_queue, a_fifo_queue, mistakes, a_topic):
    test()
    print(test.__name__)
