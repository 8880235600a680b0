import { Distribution } from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket, type IBucket } from 'aws-cdk-lib/aws-s3';
import { App, Stack } from 'aws-cdk-lib/core';
import { OAuth } from '../../lib/access.ts';

/** Writes an assembly with the stack's own user pool, behind a minimal distribution, to the folder in its argument. */
const app = new App({ outdir: String(process.argv[2]) });
const stack = new Stack(app, 'Demo');
new OAuth(stack, 'OAuth', 'cognito');
const origin = S3BucketOrigin.withOriginAccessControl(new Bucket(stack, 'Pages') as IBucket);
new Distribution(stack, 'Cdn', { defaultBehavior: { origin } });
app.synth();
