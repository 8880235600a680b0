import { runInNewContext } from 'node:vm';
import type { CloudFrontClient } from '@aws-sdk/client-cloudfront';
import { testEdgeFunctions } from '../../../bin/deploy/edge-functions.ts';
import type { Template } from '../../../bin/deploy/record.ts';
import { edgeCode } from '../../../lib/front-door/edge-code.ts';

const FILES = {
  ViewerRequest: ['navigation', 'viewer-request'],
  ViewerResponse: ['viewer-response'],
  OwnOriginRequest: ['navigation', 'own-origin-request'],
  TenantRequest: ['navigation', 'tenant-request'],
};

function templateOf(changed: (code: string) => string = (code) => code): Template {
  const resources = Object.entries(FILES).map(([name, files]) => [
    `FrontDoor${name}5AD7EB99`,
    {
      Type: 'AWS::CloudFront::Function',
      Properties: {
        FunctionCode: changed(edgeCode(files, ['index.html', 'docs/index.html'])),
        FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
      },
    },
  ]);
  return { Resources: Object.fromEntries(resources) };
}

/** A CloudFront with functions in the DEVELOPMENT stage. */
class FakeCloudFront {
  readonly functions = new Map<string, string>();
  created = 0;
  readonly #utilization: string;

  constructor(utilization = '12') {
    this.#utilization = utilization;
  }

  async send(command: { readonly input: Record<string, unknown> }) {
    const { input } = command;
    const call = command.constructor.name;
    const { Name, FunctionCode, EventObject, Stage } = input as Record<string, string>;
    const name = String(Name);
    if (call === 'CreateFunctionCommand') {
      this.created += 1;
      expect(name).toMatch(/^[a-zA-Z0-9-_]{1,64}$/);
      this.functions.set(name, String(FunctionCode));
      return { ETag: name };
    }
    expect([input.IfMatch, this.functions.has(name)]).toEqual([name, true]);
    if (call === 'DeleteFunctionCommand') return this.functions.delete(name);
    expect(Stage).toBe('DEVELOPMENT');
    return { TestResult: this.#run(this.functions.get(name) ?? '', String(EventObject)) };
  }

  #run(code: string, event: string) {
    const { context } = JSON.parse(event);
    const kind = context.eventType === 'viewer-response' ? 'response' : 'request';
    const output = runInNewContext(`${code}; JSON.stringify(handler(${event}))`);
    const result = JSON.parse(output);
    const FunctionOutput = JSON.stringify({ [result.statusCode ? 'response' : kind]: result });
    return { FunctionOutput, ComputeUtilization: this.#utilization };
  }
}

const test = (template: Template, cloudFront: FakeCloudFront) =>
  testEdgeFunctions(template, cloudFront as unknown as CloudFrontClient);

it('tests every function with known events, and deletes the functions that it created', async () => {
  const cloudFront = new FakeCloudFront();
  expect(await test(templateOf(), cloudFront)).toBe(
    'Tested 4 CloudFront functions with 11 events: at most 12 % of the compute time used.',
  );
  expect([cloudFront.created, cloudFront.functions.size]).toEqual([4, 0]);
});

it('reports an unexpected result, and deletes the function', async () => {
  const cloudFront = new FakeCloudFront();
  const wrong = templateOf((code) => code.replace('request.uri = key;', 'request.uri = "/";'));
  await expect(test(wrong, cloudFront)).rejects.toThrow(
    'The CloudFront function ViewerRequest does not pass "serves the console, with the address of the viewer": ' +
      'request.uri is "/" instead of "/index.html"',
  );
  expect(cloudFront.functions.size).toBe(0);
});

it('rejects a function that uses nearly all of its compute time', async () => {
  await expect(test(templateOf(), new FakeCloudFront('93'))).rejects.toThrow('used 93 % of its compute time');
});

it('rejects a function without cases, and one whose code CloudFormation completes', async () => {
  const Properties = { FunctionCode: { 'Fn::Sub': '' }, FunctionConfig: { Runtime: 'cloudfront-js-2.0' } };
  const Type = 'AWS::CloudFront::Function';
  const template = (id: string): Template => ({ Resources: { [id]: { Type, Properties } } });
  const cloudFront = new FakeCloudFront();
  await expect(test(template('FrontDoorOther5AD7EB99'), cloudFront)).rejects.toThrow('no cases for');
  await expect(test(template('FrontDoorViewerRequest5AD7EB99'), cloudFront)).rejects.toThrow(
    'depends on other resources',
  );
  expect(cloudFront.created).toBe(0);
});
