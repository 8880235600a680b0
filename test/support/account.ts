import { createServer } from 'node:http';
import { serve } from './serve.ts';

/** What Lambda and CloudFormation say about an account. */
export interface AccountAnswers {
  readonly quota: number;
  readonly unreserved: number;
  /** The template of the stack; without one, the stack does not exist. */
  readonly template?: object | '';
  /** The outputs of the stack. */
  readonly outputs?: Readonly<Record<string, string>>;
  /** The physical ids of its resources by logical ids. */
  readonly resources?: Readonly<Record<string, string>>;
  /** Answers other calls. */
  readonly others?: (call: AwsCall) => Answer | undefined;
}

export interface AwsCall {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** The value of `X-Amz-Target`. */
  readonly target: string;
  readonly body: string;
}

/**
 * Starts Lambda's GetAccountSettings, and CloudFormation's DescribeStacks, ListStackResources and GetTemplate.
 * https://docs.aws.amazon.com/lambda/latest/api/API_GetAccountSettings.html
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_GetTemplate.html
 *
 * @param answers undefined to deny every call
 * @returns the environment of a program that calls them
 */
export async function startAccount(answers: AccountAnswers | undefined) {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const { method = '', url = '', headers } = request;
    const call = { method, url, target: String(headers['x-amz-target']), body };
    const [status, type, text] = answers?.others?.(call) ?? respond(url, body, answers);
    response.writeHead(status, { 'content-type': type }).end(text);
  });
  const { url, close } = await serve(server);
  return {
    env: {
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'secret',
      AWS_REGION: 'us-east-1',
      AWS_ENDPOINT_URL: url,
    },
    close,
  };
}

export type Answer = readonly [status: number, type: string, body: string];

function respond(url: string, body: string, answers: AccountAnswers | undefined): Answer {
  if (answers === undefined) return [403, 'application/json', '{"message":"not authorized"}'];
  if (url.startsWith('/2016-08-19/account-settings')) {
    const { quota: ConcurrentExecutions, unreserved: UnreservedConcurrentExecutions } = answers;
    const AccountLimit = { ConcurrentExecutions, UnreservedConcurrentExecutions };
    return [200, 'application/json', JSON.stringify({ AccountLimit })];
  }
  if (body.includes('Action=DescribeStacks')) return [200, 'text/xml', described(answers.outputs)];
  if (body.includes('Action=ListStackResources')) return [200, 'text/xml', listed(answers.resources)];
  if (!body.includes('Action=GetTemplate')) return [404, 'text/plain', `unexpected: ${url} ${body}`];
  const { template } = answers;
  if (template === undefined)
    return [
      400,
      'text/xml',
      '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id prompt-to-project-prod does not exist</Message></Error></ErrorResponse>',
    ];
  const text = (template === '' ? '' : JSON.stringify(template)).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return [
    200,
    'text/xml',
    `<GetTemplateResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><GetTemplateResult><TemplateBody>${text}</TemplateBody></GetTemplateResult></GetTemplateResponse>`,
  ];
}

function described(outputs: AccountAnswers['outputs'] = {}): string {
  const members = Object.entries(outputs).map(
    ([name, value]) => `<member><OutputKey>${name}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<member><StackName>s</StackName><Outputs>${members.join('')}</Outputs></member>`;
  return `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
}

function listed(resources: AccountAnswers['resources'] = {}): string {
  const members = Object.entries(resources).map(
    ([logicalId, id]) =>
      `<member><LogicalResourceId>${logicalId}</LogicalResourceId><PhysicalResourceId>${id}</PhysicalResourceId><ResourceStatus>CREATE_COMPLETE</ResourceStatus></member>`,
  );
  return `<ListStackResourcesResponse><ListStackResourcesResult><StackResourceSummaries>${members.join('')}</StackResourceSummaries></ListStackResourcesResult></ListStackResourcesResponse>`;
}
