import { propertiesOf, resources, type Template, templateOf } from './templates.ts';

const byDefault = templateOf('byDefault');
const full = templateOf('full');

/** Returns a text of the template with the names of references in angle brackets. */
function joined(value: string | { readonly 'Fn::Join': [string, readonly (string | { readonly Ref: string })[]] }) {
  if (typeof value === 'string') return value;
  const [separator, parts] = value['Fn::Join'];
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join(separator);
}

it('keeps all lines for the configured number of days', () => {
  const days = (template: Template) =>
    propertiesOf(template, 'AWS::Logs::LogGroup').map(({ RetentionInDays }) => RetentionInDays);
  expect(days(byDefault).length).toBeGreaterThan(20);
  expect(new Set(days(byDefault))).toEqual(new Set([30]));
  expect(new Set(days(full))).toEqual(new Set([7]));
});

it('logs the requests to every distribution, without data that grants access or identifies a visitor', () => {
  expect(resources(byDefault, 'AWS::Logs::Delivery')).toHaveLength(1);
  expect(resources(templateOf('lean'), 'AWS::Logs::Delivery')).toEqual([]);
  const deliveries = propertiesOf(full, 'AWS::Logs::Delivery');
  expect(deliveries).toHaveLength(3);
  for (const { RecordFields } of deliveries) {
    expect(RecordFields).toEqual(expect.arrayContaining(['x-edge-request-id', 'sc-status', 'time-taken']));
    // They contain private links, signatures of presigned URLs, queries of referrers, cookies, and the address of the visitor.
    expect(RecordFields.join(' ')).not.toMatch(/query|referer|cookie|c-ip|x-forwarded-for|user-agent/i);
  }
  const paths = deliveries.map(({ RecordFields }) => RecordFields.at(-1));
  expect(paths.toSorted()).toEqual(['cache-behavior-path-pattern', 'cs-uri-stem', 'cs-uri-stem']);
  const [main] = propertiesOf(byDefault, 'AWS::Logs::Delivery');
  expect(main.RecordFields).not.toContain('cs-uri-stem');
});

it('creates the deliveries to a destination one after another', () => {
  const [first, ...others] = resources(full, 'AWS::Logs::Delivery');
  const earlier = [first?.[0]];
  for (const [id, { DependsOn = [] }] of others) {
    expect(DependsOn).toContain(earlier.at(-1));
    earlier.push(id);
  }
});

it('lets only log delivery of this account write them', () => {
  const [{ PolicyDocument }] = propertiesOf(byDefault, 'AWS::Logs::ResourcePolicy');
  const text = joined(PolicyDocument);
  expect(JSON.parse(text).Statement[0].Resource).toMatch(
    /^arn:<AWS::Partition>:logs:<AWS::Region>:<AWS::AccountId>:log-group:<EdgeLogsRequests\w+>:log-stream:\*$/,
  );
  for (const part of ['delivery.logs.amazonaws.com', 'aws:SourceAccount', 'aws:SourceArn', 'EdgeLogsRequests'])
    expect(text).toContain(part);
});

it('logs the errors of every state machine, without their data', () => {
  const machines = propertiesOf(full, 'AWS::StepFunctions::StateMachine');
  expect(machines).toHaveLength(5);
  for (const { LoggingConfiguration } of machines)
    expect(LoggingConfiguration).toMatchObject({
      Level: 'ERROR',
      IncludeExecutionData: false,
      Destinations: [expect.anything()],
    });
});

it('logs requests to API Gateway only if configured, with the id that callers see', () => {
  const [stage] = propertiesOf(full, 'AWS::ApiGateway::Stage');
  const line = JSON.parse(stage.AccessLogSetting.Format);
  expect(line).toMatchObject({ requestId: '$context.extendedRequestId', resource: '$context.resourcePath' });
  expect(Object.values(line).join(' ')).not.toMatch(/\$context\.(path|identity|requestOverride|authorizer)/);
  expect(resources(full, 'AWS::ApiGateway::Account')).toHaveLength(1);
  expect(resources(byDefault, 'AWS::ApiGateway::Account')).toEqual([]);
  expect(propertiesOf(byDefault, 'AWS::ApiGateway::Stage')[0]).not.toHaveProperty('AccessLogSetting');
});
