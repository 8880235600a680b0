import type { IncomingMessage, RequestListener } from 'node:http';
import * as z from 'zod';
import type { Principal } from './account.ts';
import { ApiError, type AwsReply, type AwsRequest, readRequest, sendReply } from './aws-http.ts';
import { cloudFrontCall } from './cloudfront/cloudfront-api.ts';
import type { Distributions } from './cloudfront/distributions.ts';
import type { Logs } from './cloudwatch/logs.ts';
import { AccessDenied, authorize } from './iam.ts';
import { INVOCATIONS, invokeCall } from './lambda/invoke-api.ts';
import type { Lambda } from './lambda/lambda.ts';
import type { SecretsManager } from './secrets-manager.ts';
import { type SignatureFailure, verify } from './sigv4.ts';
import type { StepFunctions } from './step-functions/step-functions.ts';

/** The services behind the endpoint, and the principals that may call them. */
export interface ControlPlane {
  readonly region: string;
  readonly principals: Readonly<Record<string, Principal>>;
  readonly lambda: Lambda;
  readonly stepFunctions: StepFunctions;
  readonly distributions: Distributions;
  readonly secretsManager: SecretsManager;
  readonly logs: Logs;
}

/** Fits an event for Lambda, the largest body of the services behind the endpoint. */
const BODY_LIMIT = 8 * 1024 * 1024;

/**
 * Returns the endpoint of the AWS services that the functions call, except S3 and DynamoDB: Lambda, Step
 * Functions, CloudFront and Secrets Manager, each in its own protocol.
 */
export function awsEndpoint(plane: ControlPlane): RequestListener {
  return (incoming, outgoing) => {
    replyTo(plane, incoming)
      .then((reply) => sendReply(reply, outgoing))
      .catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ECONNRESET') console.error(error);
        outgoing.destroy();
      });
  };
}

async function replyTo(plane: ControlPlane, incoming: IncomingMessage): Promise<AwsReply> {
  const request = await readRequest(incoming, BODY_LIMIT);
  if (request.headers['x-amz-target'] !== undefined) return jsonCall(plane, request);
  return request.url.startsWith(INVOCATIONS) ? invokeCall(plane, request) : cloudFrontCall(plane, request);
}

/** An operation of a service with the AWS JSON protocol. */
interface JsonOperation {
  readonly service: string;
  readonly action: string;
  readonly input: z.ZodType;
  readonly resource: (input: never, plane: ControlPlane) => string;
  readonly run: (plane: ControlPlane, input: never) => unknown;
}

function operation<Schema extends z.ZodType>(
  service: string,
  action: string,
  input: Schema,
  resource: (input: z.output<Schema>, plane: ControlPlane) => string,
  run: (plane: ControlPlane, input: z.output<Schema>) => unknown,
): JsonOperation {
  return { service, action, input, resource, run };
}

/** By `X-Amz-Target`. */
const OPERATIONS: Readonly<Record<string, JsonOperation>> = {
  'AWSStepFunctions.StartExecution': operation(
    'states',
    'states:StartExecution',
    z.strictObject({
      stateMachineArn: z.string(),
      name: z.string().max(80).optional(),
      input: z.string().optional(),
    }),
    (input) => input.stateMachineArn,
    ({ stepFunctions }, { stateMachineArn, name, input }) => {
      const { executionArn, startDate } = stepFunctions.start(stateMachineArn, name, input);
      return { executionArn, startDate };
    },
  ),
  'AWSStepFunctions.DescribeExecution': operation(
    'states',
    'states:DescribeExecution',
    z.strictObject({ executionArn: z.string() }),
    (input) => input.executionArn,
    ({ stepFunctions }, { executionArn }) => stepFunctions.describe(executionArn),
  ),
  'AWSStepFunctions.StopExecution': operation(
    'states',
    'states:StopExecution',
    z.strictObject({ executionArn: z.string(), error: z.string().optional(), cause: z.string().optional() }),
    (input) => input.executionArn,
    ({ stepFunctions }, { executionArn, error, cause }) => ({
      stopDate: stepFunctions.stop(executionArn, error, cause),
    }),
  ),
  'Logs_20140328.DescribeLogGroups': operation(
    'logs',
    'logs:DescribeLogGroups',
    z.strictObject({ logGroupNamePrefix: z.string() }),
    () => '*',
    ({ logs }, { logGroupNamePrefix }) => ({
      logGroups: logs.groups(logGroupNamePrefix).map((logGroupName) => ({ logGroupName })),
    }),
  ),
  'Logs_20140328.StartQuery': operation(
    'logs',
    'logs:StartQuery',
    z.strictObject({
      logGroupNames: z.array(z.string()).min(1).max(50),
      queryString: z.string(),
      startTime: z.int(),
      endTime: z.int(),
    }),
    () => '*',
    ({ logs }, { logGroupNames, queryString, startTime, endTime }) => ({
      queryId: logs.startQuery(logGroupNames, queryString, startTime, endTime),
    }),
  ),
  'Logs_20140328.GetQueryResults': operation(
    'logs',
    'logs:GetQueryResults',
    z.strictObject({ queryId: z.string() }),
    () => '*',
    ({ logs }, { queryId }) => ({ status: 'Complete', results: logs.resultsOf(queryId) }),
  ),
  'secretsmanager.GetSecretValue': operation(
    'secretsmanager',
    'secretsmanager:GetSecretValue',
    z.strictObject({ SecretId: z.string(), VersionStage: z.string().optional() }),
    ({ SecretId }, { secretsManager }) => secretsManager.arn(SecretId),
    ({ secretsManager }, { SecretId, VersionStage }) => secretsManager.get(SecretId, VersionStage),
  ),
  'secretsmanager.PutSecretValue': operation(
    'secretsmanager',
    'secretsmanager:PutSecretValue',
    z.strictObject({
      SecretId: z.string(),
      SecretString: z.string(),
      ClientRequestToken: z.string().min(32).max(64).optional(),
      VersionStages: z.array(z.string()).min(1).optional(),
    }),
    ({ SecretId }, { secretsManager }) => secretsManager.arn(SecretId),
    ({ secretsManager }, { SecretId, SecretString, VersionStages, ClientRequestToken }) => {
      const put = secretsManager.putValue(SecretId, SecretString, VersionStages, ClientRequestToken);
      return { ARN: put.ARN, VersionId: put.VersionId, VersionStages: put.VersionStages };
    },
  ),
  'secretsmanager.UpdateSecretVersionStage': operation(
    'secretsmanager',
    'secretsmanager:UpdateSecretVersionStage',
    z.strictObject({
      SecretId: z.string(),
      VersionStage: z.string(),
      MoveToVersionId: z.string(),
      RemoveFromVersionId: z.string().optional(),
    }),
    ({ SecretId }, { secretsManager }) => secretsManager.arn(SecretId),
    ({ secretsManager }, { SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId }) => {
      secretsManager.moveStage(SecretId, VersionStage, MoveToVersionId, RemoveFromVersionId);
      return { ARN: secretsManager.arn(SecretId) };
    },
  ),
};

async function jsonCall(plane: ControlPlane, request: AwsRequest): Promise<AwsReply> {
  const target = request.headers['x-amz-target'] ?? '';
  try {
    const call = OPERATIONS[target];
    if (call === undefined) {
      console.log(`UnknownOperation ${target} is not supported by the local cloud`);
      throw new ApiError(400, 'UnknownOperationException', `The local cloud does not support ${target}`);
    }
    const verified = await verify(request, { service: call.service, region: plane.region }, plane.principals);
    if ('failure' in verified) throw new ApiError(400, signatureError(verified.failure), verified.message);
    const parsed = call.input.safeParse(JSON.parse(request.body.toString()));
    if (!parsed.success) throw new ApiError(400, 'ValidationException', z.prettifyError(parsed.error));
    const input = parsed.data as never;
    authorize({ principal: verified.principal, action: call.action, resource: call.resource(input, plane) });
    return json(200, call.run(plane, input));
  } catch (error) {
    if (error instanceof ApiError) return json(400, { __type: error.code, message: error.message });
    if (error instanceof AccessDenied) return json(400, { __type: 'AccessDeniedException', message: error.message });
    throw error;
  }
}

/** Returns the error of AWS for a signature. */
function signatureError(failure: SignatureFailure): string {
  return failure === 'RequestTimeTooSkewed' ? 'InvalidSignatureException' : failure;
}

function json(status: number, body: unknown): AwsReply {
  return { status, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: JSON.stringify(body) };
}
