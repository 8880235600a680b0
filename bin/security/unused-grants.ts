import type { GrantReason } from './grants.ts';

/** Grants that no test uses in the local cloud, and why they stay. */
export const UNUSED_GRANTS: readonly GrantReason[] = [
  {
    grant: / logs:(CreateLogStream|PutLogEvents) /,
    reason: 'Lambda writes the log of a function with its role; the local cloud prints it',
  },
  {
    grant: /StateMachineRole\w* logs:\w+ \*$/,
    reason:
      'Step Functions sets up the delivery of its log with the role of the state machine; the local cloud has no such log',
  },
];
