import {
  AwsIntegration,
  ContentHandling,
  type IntegrationResponse,
  type MethodOptions,
  RequestAuthorizer,
} from 'aws-cdk-lib/aws-apigateway';
import { Effect, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { contextKey, RATE_LIMIT_HEADERS } from '../../lambda/contract/headers.ts';
import { REFUSED_ID } from '../../lambda/platform/env.ts';
import type { Access } from '../access.ts';
import { BundledFunction } from '../platform/bundled-function.ts';
import type { PrivateBucket } from '../platform/storage.ts';

/** Request headers that are stored with the body: its type and encoding, and the conditions of the deploy. */
const KEPT_HEADERS = {
  'Content-Type': 'Content-Type',
  'Content-Encoding': 'Content-Encoding',
  'x-amz-meta-if-match': 'If-Match',
  'x-amz-meta-idempotency-key': 'Idempotency-Key',
};

const COMMON_HEADERS: Record<string, string> = {
  'method.response.header.Access-Control-Allow-Origin': "'*'",
  'method.response.header.Access-Control-Expose-Headers': "'*'",
  ...Object.fromEntries(
    RATE_LIMIT_HEADERS.map((name) => [`method.response.header.${name}`, `context.authorizer.${contextKey(name)}`]),
  ),
};

/**
 * Stores bodies that are too large for a Lambda event: API Gateway writes them to S3 under the id that the authorizer
 * generated, and redirects the caller to the URL that deploys it. Id and URL come from the authorizer's context, which no
 * client can set; API Gateway sends S3 only the headers that are mapped here.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/integrating-api-with-aws-services-s3.html
 */
export class Staging extends Construct {
  readonly integration: AwsIntegration;
  readonly method: MethodOptions;

  constructor(scope: Construct, id: string, bucket: PrivateBucket, access: Access) {
    super(scope, id);
    const credentialsRole = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    });
    bucket.grantObjects(credentialsRole, 'staged/*', 's3:PutObject');
    credentialsRole.addToPolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: ['s3:PutObject'],
        resources: [bucket.arnForObjects(`staged/${REFUSED_ID}`)],
      }),
    );
    this.integration = new AwsIntegration({
      service: 's3',
      integrationHttpMethod: 'PUT',
      path: `${bucket.bucketName}/staged/{id}`,
      options: {
        credentialsRole,
        requestParameters: {
          'integration.request.path.id': 'context.authorizer.stagedId',
          ...Object.fromEntries(
            Object.entries(KEPT_HEADERS).map(([to, from]) => [
              `integration.request.header.${to}`,
              `method.request.header.${from}`,
            ]),
          ),
        },
        integrationResponses: [STORED, CLOSED, FAILED],
      },
    });
    this.method = {
      authorizer: this.#authorizer(access),
      requestParameters: Object.fromEntries(
        Object.values(KEPT_HEADERS).map((name) => [`method.request.header.${name}`, false]),
      ),
      methodResponses: [STORED, CLOSED, FAILED].map(methodResponseOf),
    };
  }

  /** Identifies and counts callers before a body is stored, since no function handles the request. */
  #authorizer(access: Access): RequestAuthorizer {
    const handler = new BundledFunction(this, 'Authorizer', {
      entry: 'deployments/staging/staging-authorizer.handler',
      description: 'Identifies and counts callers that send a large body',
      timeout: Duration.seconds(10),
    });
    access.grantCount(handler);
    // Requests would not be counted while a result is cached.
    return new RequestAuthorizer(this, 'Authorization', {
      handler,
      identitySources: [],
      resultsCacheTtl: Duration.seconds(0),
    });
  }
}

const STORED: IntegrationResponse = {
  statusCode: '303',
  selectionPattern: '200',
  responseParameters: {
    ...COMMON_HEADERS,
    'method.response.header.Location': 'context.authorizer.location',
  },
  // All media types are binary, but the template needs S3's response as text.
  contentHandling: ContentHandling.CONVERT_TO_TEXT,
  responseTemplates: {
    'application/json':
      '{"message":"The body is stored but not deployed yet: send a GET to the Location, as curl does with -L"}',
  },
};

/** The authorizer chose the object that the role may not write, because the operator has closed deploys. */
const CLOSED: IntegrationResponse = {
  statusCode: '503',
  selectionPattern: '403',
  responseParameters: {
    'method.response.header.Access-Control-Allow-Origin': "'*'",
    'method.response.header.Access-Control-Expose-Headers': "'*'",
    'method.response.header.Retry-After': 'context.authorizer.retryAfter',
  },
  contentHandling: ContentHandling.CONVERT_TO_TEXT,
  responseTemplates: {
    'application/json': '{"error":"$context.authorizer.error","retryAfter":$context.authorizer.retryAfter}',
  },
};

const FAILED: IntegrationResponse = {
  statusCode: '502',
  responseParameters: { ...COMMON_HEADERS, 'method.response.header.Retry-After': "'2'" },
  contentHandling: ContentHandling.CONVERT_TO_TEXT,
  responseTemplates: {
    'application/json':
      '{"error":"The deployment backend did not accept the body; nothing was changed. Try again in a few seconds"}',
  },
};

function methodResponseOf({ statusCode, responseParameters = {} }: IntegrationResponse) {
  const names = Object.keys(responseParameters);
  return { statusCode, responseParameters: Object.fromEntries(names.map((name) => [name, true])) };
}
