import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { resourceOf, templateOf } from './templates.ts';

// biome-ignore lint/suspicious/noExplicitAny: states of several types
type Definition = StateMachineDefinition & { States: Record<string, any> };

/** The definition of the state machine, with the same text for the name of each resource, and without pauses. */
function definition(): Definition {
  const { Properties } = resourceOf(templateOf('byDefault'), 'AWS::StepFunctions::StateMachine', 'DeploymentLooks');
  const parts: unknown[] = Properties.DefinitionString['Fn::Join'][1];
  const asl = JSON.parse(parts.map((part) => (typeof part === 'string' ? part : 'aws')).join(''));
  for (const { Retry = [] } of Object.values<Definition['States'][string]>(asl.States))
    for (const retry of Retry) Object.assign(retry, { IntervalSeconds: 0 });
  return asl;
}

/** Runs a look each of whose invocations throws an error. @returns the name of the error that it fails with */
async function failure(name: string): Promise<string | undefined> {
  const machine = new StateMachine(definition(), { validationOptions: { noValidate: true } });
  const invoke = async () => {
    throw Object.assign(new Error('Rate Exceeded.'), { name });
  };
  const overrides = { taskResourceLocalHandlers: { Look: invoke, GiveUp: invoke } };
  return machine.run({ id: 'abcdefghijkl' }, { overrides }).result.then(
    () => undefined,
    (error: Error) => (error.cause as Error).name,
  );
}

it('fails for an error of the service, which is an alarm, but not for a flood of deploys that throttles every try', async () => {
  expect(await failure('Lambda.TooManyRequestsException')).toBeUndefined();
  expect(await failure('AccessDenied')).toBe('AccessDenied');
});
