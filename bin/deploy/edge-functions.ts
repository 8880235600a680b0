import { randomUUID } from 'node:crypto';
import {
  CloudFrontClient,
  CreateFunctionCommand,
  DeleteFunctionCommand,
  type FunctionRuntime,
  TestFunctionCommand,
} from '@aws-sdk/client-cloudfront';
import { EDGE_CASES, type EdgeCase, VIEWER } from './edge-cases.ts';
import type { Template } from './record.ts';

/** A function whose compute utilization exceeds this percentage would be throttled under load. */
const MOST_UTILIZATION = 80;

interface EdgeFunction {
  readonly name: string;
  readonly code: string;
  readonly runtime: FunctionRuntime;
}

/**
 * Runs each CloudFront function of a template with known events in the DEVELOPMENT stage, as a temporary function with another name:
 * an update of the stack publishes its own functions at once.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/test-function.html
 *
 * @returns a summary
 * @throws Error with the function, the event and the difference
 */
export async function testEdgeFunctions(
  template: Template,
  // CloudFront's API is in this region.
  client = new CloudFrontClient({ region: 'us-east-1' }),
): Promise<string> {
  const functions = edgeFunctionsIn(template);
  const utilizations: number[] = [];
  for (const one of functions) utilizations.push(...(await testFunction(one, client)));
  const most = Math.max(0, ...utilizations);
  return `Tested ${functions.length} CloudFront functions with ${utilizations.length} events: at most ${most} % of the compute time used.`;
}

/** Returns the functions of a template with their names in the stack. @throws Error for a function without cases */
export function edgeFunctionsIn({ Resources }: Template): EdgeFunction[] {
  return Object.entries(Resources)
    .filter(([, { Type }]) => Type === 'AWS::CloudFront::Function')
    .map(([id, { Properties = {} }]) => {
      const name = Object.keys(EDGE_CASES).find((one) => new RegExp(`${one}[0-9A-F]{8}$`).test(id));
      const { FunctionCode, FunctionConfig } = Properties as {
        FunctionCode: unknown;
        FunctionConfig: { Runtime: FunctionRuntime };
      };
      if (name === undefined) throw new Error(`bin/deploy/edge-cases.ts has no cases for ${id}`);
      // Only CloudFormation knows the values of the stack that such code contains.
      if (typeof FunctionCode !== 'string')
        throw new Error(
          `The code of ${id} depends on other resources: it cannot be tested before the update`,
        );
      return { name, code: FunctionCode, runtime: FunctionConfig.Runtime };
    });
}

async function testFunction({ name, code, runtime }: EdgeFunction, client: CloudFrontClient) {
  const Name = `test-${name}-${randomUUID()}`;
  const { ETag } = await client.send(
    new CreateFunctionCommand({
      Name,
      FunctionConfig: { Comment: 'Temporary function of npm run deploy: can be deleted', Runtime: runtime },
      FunctionCode: Buffer.from(code),
    }),
  );
  try {
    const utilizations: number[] = [];
    for (const one of EDGE_CASES[name] ?? []) {
      const input = { Name, IfMatch: ETag, Stage: 'DEVELOPMENT' as const, EventObject: eventOf(one) };
      const { TestResult } = await client.send(new TestFunctionCommand(input));
      utilizations.push(Number(TestResult?.ComputeUtilization ?? 0));
      const problem = TestResult?.FunctionErrorMessage || problemOf(one, TestResult?.FunctionOutput);
      if (problem) throw new Error(`The CloudFront function ${name} does not pass "${one.what}": ${problem}`);
    }
    const most = Math.max(...utilizations);
    if (most > MOST_UTILIZATION)
      throw new Error(`The CloudFront function ${name} used ${most} % of its compute time`);
    return utilizations;
  } finally {
    await client.send(new DeleteFunctionCommand({ Name, IfMatch: ETag }));
  }
}

function eventOf({ eventType, request = {}, responseHeaders }: EdgeCase): Buffer {
  const { method = 'GET', uri = '/', headers = {} } = request;
  const response = responseHeaders && { statusCode: 200, headers: valued(responseHeaders), cookies: {} };
  const event = {
    version: '1.0',
    context: { eventType },
    viewer: { ip: VIEWER },
    request: { method, uri, querystring: {}, headers: valued(headers), cookies: {} },
    ...(response && { response }),
  };
  return Buffer.from(JSON.stringify(event));
}

function valued(headers: Readonly<Record<string, string>>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
}

function problemOf({ expected }: EdgeCase, output = 'null'): string | undefined {
  return difference('', expected, JSON.parse(output));
}

/** Describes the first difference from the expected value; undefined if there is none. */
function difference(path: string, expected: unknown, actual: unknown): string | undefined {
  if (typeof expected !== 'object' || expected === null) {
    if (expected === actual) return undefined;
    return `${path} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
  }
  const found = (actual ?? {}) as Readonly<Record<string, unknown>>;
  for (const [name, value] of Object.entries(expected)) {
    const problem = difference(path ? `${path}.${name}` : name, value, found[name]);
    if (problem) return problem;
  }
  return undefined;
}
