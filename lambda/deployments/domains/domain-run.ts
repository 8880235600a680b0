import { nanoid } from 'nanoid';

/** What sets up a domain or removes it: the input of the state machine. */
export interface DomainRun {
  /** Of the deployment. */
  readonly id: string;
  readonly domain: string;
  readonly run: string;
}

/** What the state machine does next. */
export interface NextStep extends DomainRun {
  readonly done: boolean;
  /** Until the next step. */
  readonly waitSeconds: number;
}

/** Returns a name that no other run has. */
export const newRun = () => nanoid(21);

/** Names an execution, so that none is started twice. */
export function runName({ id, run }: DomainRun): string {
  return `${id}-${run}`;
}
