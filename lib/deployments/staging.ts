import { AwsIntegration, ContentHandling, type MethodOptions } from 'aws-cdk-lib/aws-apigateway';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { PrivateBucket } from '../storage/private-bucket.ts';

/** Headers of the request that go along with the body: how to read it, and on which conditions it is deployed. */
const KEPT_HEADERS = {
  'Content-Type': 'Content-Type',
  'Content-Encoding': 'Content-Encoding',
  'x-amz-meta-if-match': 'If-Match',
  'x-amz-meta-idempotency-key': 'Idempotency-Key',
};

const ANY_ORIGIN = { 'method.response.header.Access-Control-Allow-Origin': "'*'" };

/**
 * Takes bodies that no Lambda event holds: API Gateway writes them into S3 under the request's id by itself, and
 * sends the caller on to where that body is deployed.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/integrating-api-with-aws-services-s3.html
 */
export class Staging extends Construct {
  readonly integration: AwsIntegration;
  readonly method: MethodOptions;

  constructor(scope: Construct, id: string, bucket: PrivateBucket) {
    super(scope, id);
    const credentialsRole = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
    bucket.grantObjects(credentialsRole, 'staged/*', 's3:PutObject');
    this.integration = new AwsIntegration({
      service: 's3',
      integrationHttpMethod: 'PUT',
      path: `${bucket.bucketName}/staged/{id}`,
      options: {
        credentialsRole,
        requestParameters: {
          'integration.request.path.id': 'context.requestId',
          ...Object.fromEntries(
            Object.entries(KEPT_HEADERS).map(([to, from]) => [
              `integration.request.header.${to}`,
              `method.request.header.${from}`,
            ]),
          ),
        },
        integrationResponses: [stored(), failed()],
      },
    });
    this.method = {
      requestParameters: Object.fromEntries(
        Object.values(KEPT_HEADERS).map((name) => [`method.request.header.${name}`, false]),
      ),
      methodResponses: [
        { statusCode: '303', responseParameters: { ...declared(ANY_ORIGIN), ...declared(LOCATION) } },
        { statusCode: '502', responseParameters: declared(ANY_ORIGIN) },
      ],
    };
  }
}

const LOCATION = { 'method.response.header.Location': '' };

/** Relative to `/api/v1/deploy`, where the caller sent the body (RFC 9110, 10.2.2). */
function stored() {
  return {
    statusCode: '303',
    selectionPattern: '200',
    responseParameters: ANY_ORIGIN,
    // With every media type binary, a template needs the answer of S3 as text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    responseTemplates: {
      'application/json':
        '#set($context.responseOverride.header.Location = "deploy/staged/$context.requestId")',
    },
  };
}

function failed() {
  return {
    statusCode: '502',
    responseParameters: ANY_ORIGIN,
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    responseTemplates: {
      'application/json':
        '{"error":"The deployment backend did not take the body; nothing was changed. Try again in a few seconds"}',
    },
  };
}

function declared(parameters: Record<string, string>): Record<string, boolean> {
  return Object.fromEntries(Object.keys(parameters).map((name) => [name, true]));
}
