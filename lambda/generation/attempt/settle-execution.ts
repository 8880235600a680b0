import type { Delivery } from '../../contract/responses/webhooks.ts';
import { afterEnd, freeSlot } from '../after-end.ts';
import { deliveredStatus, interruptedProblems } from '../completeness.ts';
import { DEPLOY_INTERRUPTED } from '../deployment-fields.ts';
import { isOver } from '../generation.ts';
import { hasChanges } from '../generation-log.ts';
import { workflowState } from '../workflow.ts';
import { dropUnjudged } from './drop-unjudged.ts';
import { endsOf, type SettlePorts } from './settle-attempt.ts';
import { settleDeploy } from './settle-deploy.ts';

/**
 * The event of EventBridge about an execution that did not succeed.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
export interface ExecutionEvent {
  readonly detail: { readonly name: string };
}

export interface SettleExecutionPorts extends SettlePorts {
  /** Starts the delivery of a notification, unless it has been started. */
  readonly notify: (delivery: Delivery) => Promise<void>;
}

/**
 * Ends a generation whose execution ended before it, because it exceeded a limit of Step Functions or was stopped: with the files
 * that it has, or as failed. Then starts the delivery of its notification, which the execution may not have done. Changes
 * nothing for a generation that is over, or that another execution has begun again, so the event may come twice.
 */
export async function settleExecution(
  { detail: { name } }: ExecutionEvent,
  ports: SettleExecutionPorts,
): Promise<void> {
  const { generations, clock, notify } = ports;
  const id = generationOf(name);
  for (;;) {
    const generation = await generations.find(id);
    if (generation?.execution !== name) return;
    if (isOver(generation)) {
      await freeSlot(generation, ports);
      const { delivery } = workflowState(generation);
      if (delivery) await notify(delivery);
      return;
    }
    if (generation.status === 'deploying') {
      await settleDeploy({ ...workflowState(generation), deployed: INTERRUPTED }, ports);
      continue;
    }
    const now = clock();
    const { events: ends } = endsOf(generation, DEATH, now);
    const after = { ...generation, log: [...generation.log, ...ends] };
    const events = [...ends, ...(await dropUnjudged(after, { status: 'failed' }, ports.files))];
    const log = [...generation.log, ...events];
    const status = hasChanges({ log }) ? deliveredStatus({ log }) : 'failed';
    const end = { finishedAt: now, problems: interruptedProblems({ log }) };
    // An attempt that still runs may have written a file in the meantime: then the next round sees it.
    await afterEnd(await generations.interrupt(generation, events, status, end), ports);
  }
}

const DEATH = { outcome: 'interrupted', reason: 'The execution ended early' } as const;
const INTERRUPTED = { status: 502, error: DEPLOY_INTERRUPTED };

/** Returns the generation of an execution: see `executionName`. */
function generationOf(name: string): string {
  return name.slice(0, name.lastIndexOf('-'));
}
