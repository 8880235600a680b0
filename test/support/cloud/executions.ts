import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SFNClient, StopExecutionCommand } from '@aws-sdk/client-sfn';

/** Returns the running executions of a stage. */
export function executionsOf(stateDir: string): { readonly name: string; readonly executionArn: string }[] {
  const folder = join(stateDir, 'executions');
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).execution);
}

/** Stops the execution of a generation, as an operator would. */
export async function stopExecution(stateDir: string, generationId: string): Promise<void> {
  const { executionArn } = executionsOf(stateDir).find(({ name }) => name === `${generationId}-1`) ?? {};
  const operator = JSON.parse(readFileSync(join(stateDir, 'operator.json'), 'utf8'));
  const states = new SFNClient({
    region: operator.region,
    endpoint: operator.controlEndpoint,
    credentials: operator,
  });
  try {
    await states.send(new StopExecutionCommand({ executionArn }));
  } finally {
    states.destroy();
  }
}
