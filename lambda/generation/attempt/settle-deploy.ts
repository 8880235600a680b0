import type { UsageStore } from '../../access/usage-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { log } from '../../platform/log.ts';
import type { DeployOutcome } from '../../stored/generations.ts';
import { type EndPorts, freeSlot } from '../after-end.ts';
import type { GenerationStore } from '../generation-store.ts';
import { type DeployedState, type WorkflowState, workflowState } from '../workflow.ts';

export interface SettleDeployPorts extends Pick<EndPorts, 'providerStore'> {
  readonly generations: GenerationStore;
  readonly usage: Pick<UsageStore, 'recordAmounts'>;
  readonly clock: Clock;
}

/** The outcome of a deploy whose function died or could not reach its backend. */
const UNREACHABLE: DeployOutcome = {
  status: 502,
  error: 'The deployment backend is unreachable: deploy the project again with its generationId',
};

/** Ends a generation with the outcome of its deploy, and records the usage of the deploy. A repeated call changes nothing. */
export async function settleDeploy(
  { id, deployed: outcome = UNREACHABLE }: DeployedState,
  ports: SettleDeployPorts,
): Promise<WorkflowState> {
  const { generations, usage, clock } = ports;
  const { owner, problems = [] } = await generations.get(id);
  const found = 'response' in outcome ? outcome.problems : [];
  const ended = await generations.deployed(id, outcome, [...problems, ...found]);
  if (ended && owner !== undefined && 'response' in outcome) {
    const amounts = { files: outcome.response.fileCount, bytes: outcome.bytes };
    await usage
      .recordAmounts({ caller: owner, operation: 'deploy', at: clock(), ...amounts })
      .catch((error: unknown) => log.error('usage not recorded', { caller: owner, generation: id, error }));
  }
  const generation = ended ?? (await generations.get(id));
  await freeSlot(generation, ports);
  return workflowState(generation);
}
