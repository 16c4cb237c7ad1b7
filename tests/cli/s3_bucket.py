"""Fills a bucket by boto3. Run in .venv-server by file_servers.py:

    s3_bucket.py URL user                          makes a user, its key and its bucket; prints its variables
    s3_bucket.py URL put KEY SECRET {NAME: TEXT}   writes objects
    s3_bucket.py URL delete KEY SECRET [NAME]      removes objects
"""

import json
import sys

import boto3

BUCKET = "reports"


def client(service, url, key, secret):
    return boto3.client(
        service,
        endpoint_url=url,
        region_name="eu-central-1",
        aws_access_key_id=key,
        aws_secret_access_key=secret,
    )


def make_user(url):
    iam = client("iam", url, "root", "root")
    iam.create_user(UserName="reader")
    allowed = {"Effect": "Allow", "Action": "*", "Resource": "*"}
    policy = json.dumps({"Version": "2012-10-17", "Statement": [allowed]})
    iam.put_user_policy(UserName="reader", PolicyName="all", PolicyDocument=policy)
    made = iam.create_access_key(UserName="reader")["AccessKey"]
    key, secret = made["AccessKeyId"], made["SecretAccessKey"]
    place = {"LocationConstraint": "eu-central-1"}
    client("s3", url, key, secret).create_bucket(Bucket=BUCKET, CreateBucketConfiguration=place)
    return {
        "AWS_ACCESS_KEY_ID": key,
        "AWS_SECRET_ACCESS_KEY": secret,
        "AWS_REGION": "eu-central-1",
        "AWS_ENDPOINT_URL": url,
    }


def main():
    url, what, *rest = sys.argv[1:]
    if what == "user":
        print(json.dumps(make_user(url)))
        return
    s3 = client("s3", url, *rest[:2])
    for name in (names := json.loads(rest[2])):
        if what == "put":
            s3.put_object(Bucket=BUCKET, Key=name, Body=names[name].encode())
        else:
            s3.delete_object(Bucket=BUCKET, Key=name)
    print(len(names))


if __name__ == "__main__":
    main()
