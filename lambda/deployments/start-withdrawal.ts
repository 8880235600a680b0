import { SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { CLIENT } from '../platform/aws.ts';
import { type Withdrawal, withdrawalName } from './withdrawal.ts';

const stepFunctions = new SFNClient(CLIENT);

/** Starts the state machine for a deletion, unless it was started before. */
export async function startWithdrawal(withdrawal: Withdrawal, stateMachineArn: string): Promise<void> {
  const name = withdrawalName(withdrawal);
  const start = new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(withdrawal) });
  await stepFunctions.send(start).catch((error: Error) => {
    if (error.name !== 'ExecutionAlreadyExists') throw error;
  });
}
