import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { CLIENT } from './aws.ts';

const stepFunctions = new SFNClient(CLIENT);

/** Starts an execution, unless one of that name has been started. */
export async function startExecution(stateMachineArn: string, name: string, input: object): Promise<void> {
  const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) });
  await stepFunctions.send(start).catch((error: Error) => {
    if (error.name !== 'ExecutionAlreadyExists') throw error;
  });
}
