import type { ServiceEvent } from '../events/event.ts';
import type { Execution } from './execution.ts';

/** Together, input and output of an event have at most so many bytes; beyond it, the event has neither. */
const MOST_BYTES = 248 * 1024;

/**
 * Returns the event that Step Functions sends when the status of an execution of a Standard workflow changes.
 * https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
 */
export function statusChange(execution: Execution): ServiceEvent {
  const { executionArn, stateMachineArn, name, status, input, output, error, cause } = execution;
  const bytes = Buffer.byteLength(JSON.stringify([input, output ?? '']));
  const included = bytes <= MOST_BYTES;
  return {
    source: 'aws.states',
    'detail-type': 'Step Functions Execution Status Change',
    resources: [executionArn],
    detail: {
      executionArn,
      stateMachineArn,
      name,
      status,
      startDate: milliseconds(execution.startDate),
      stopDate: execution.stopDate === undefined ? null : milliseconds(execution.stopDate),
      input: included ? input : null,
      inputDetails: { included },
      output: included ? (output ?? null) : null,
      outputDetails: output === undefined ? null : { included },
      error: error ?? null,
      cause: cause ?? null,
    },
  };
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000);
}
