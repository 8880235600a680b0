import { CANARY_KEY_ID } from '../../lambda/platform/env.ts';
import { propertiesOf, resources, synthesized, type Template } from './synthesized.ts';

const paid = { 'provider-b': { kind: 'anthropic', model: 'm', apiKey: 'ANTHROPIC_API_KEY' } };
const [free, hourly, never, edge, off] = synthesized(
  {},
  { providers: paid, canary: { generateHourly: true } },
  { providers: paid },
  { providers: { ...paid, 'provider-c': { kind: 'blueprint' } }, deployments: { edgeSeconds: 30 } },
  { canary: { enabled: false } },
) as [Template, Template, Template, Template, Template];

const canary = (template: Template) =>
  propertiesOf(template, 'AWS::Lambda::Function').find(({ Handler, Description }) =>
    /visitors and callers/.test(`${Handler} ${Description}`),
  );
const settings = (template: Template) => JSON.parse(canary(template)?.Environment.Variables.CANARY);

test('runs every five minutes, once', () => {
  const [id] = resources(free, 'AWS::Lambda::Function').find(([name]) => name.startsWith('Canary')) ?? [];
  const rules = propertiesOf(free, 'AWS::Events::Rule').filter(({ Targets }) =>
    JSON.stringify(Targets).includes(`"${id}"`),
  );
  expect(rules).toMatchObject([{ ScheduleExpression: 'rate(5 minutes)', State: 'ENABLED' }]);
  expect(propertiesOf(free, 'AWS::Lambda::EventInvokeConfig')).toEqual([
    {
      FunctionName: { Ref: id },
      Qualifier: '$LATEST',
      MaximumRetryAttempts: 0,
      MaximumEventAgeInSeconds: 60,
    },
  ]);
  expect(canary(free)?.Timeout).toBeLessThan(300);
});

test('generates with the embedded provider, or hourly if configured', () => {
  expect(settings(free)).toEqual({ staleMs: 0, generate: { model: 'provider-a', every: 'run' } });
  expect(settings(hourly)).toEqual({ staleMs: 0, generate: { model: 'auto', every: 'hour' } });
  expect(settings(never)).toEqual({ staleMs: 0 });
  expect(settings(edge)).toEqual({ staleMs: 330_000, generate: { model: 'provider-c', every: 'run' } });
});

test('may only write its own key and read the state of the stage', () => {
  const statements = resources(free, 'AWS::IAM::Policy')
    .filter(([name]) => name.startsWith('Canary'))
    .flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)
    .filter(({ Action }) => !JSON.stringify(Action).includes('logs:'));
  const on = (key: string) => ({ 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [key] } });
  expect(statements).toMatchObject([
    { Action: 'dynamodb:PutItem', Condition: on(CANARY_KEY_ID) },
    { Action: 'dynamodb:GetItem', Condition: on('#stage') },
  ]);
  expect(statements).toHaveLength(2);
});

test('is omitted if the configuration turns it off', () => {
  expect(resources(off, 'AWS::Lambda::Function').filter(([id]) => id.startsWith('Canary'))).toEqual([]);
});
