import { SFNClient, StartExecutionCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { CLIENT } from './aws.ts';

const stepFunctions = new SFNClient(CLIENT);

/** Starts an execution, unless one of that name has been started. */
export function startExecution(stateMachineArn: string, name: string, input: object): Promise<void> {
  const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
  return unless('ExecutionAlreadyExists', stepFunctions.send(start));
}

/** Stops an execution, unless it is over. */
export function stopExecution(stateMachineArn: string, name: string, cause: string): Promise<void> {
  const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
  return unless('ExecutionDoesNotExist', stepFunctions.send(new StopExecutionCommand({ executionArn, cause })));
}

async function unless(ignored: string, call: Promise<unknown>): Promise<void> {
  await call.catch((error: Error) => {
    if (error.name !== ignored) throw error;
  });
}
