import type { DomainRun, NextStep } from './domain-run.ts';
import type { SettlePorts } from './settle-ports.ts';
import { retire } from './settle-removal.ts';
import { advance } from './settle-wanted.ts';

/**
 * Brings a domain one step closer to what its deployment says of it: to the pages being served there, or to the domain being gone. Each
 * step reads what is there, so that any of them may be repeated, and the last request for the domain decides.
 * @throws the SDK's error: it is safe to call again
 */
export async function settle({ id, domain, run }: DomainRun, ports: SettlePorts): Promise<NextStep> {
  const over: NextStep = { id, domain, run, done: true, waitSeconds: 0 };
  const deployment = await ports.domains.find(id);
  const entry = deployment?.domains?.find((one) => one.domain === domain);
  if (!deployment || entry?.run !== run) return over;
  const isWanted =
    deployment.deletedAt === undefined && entry.state !== 'removing' && entry.state !== 'failed';
  const outcome = await (isWanted ? advance : retire)(deployment, entry, ports);
  if (outcome === 'done') return over;
  return { ...over, done: false, waitSeconds: pauseSeconds(ports.clock() - entry.askedAt) };
}

/** By the time since the request in milliseconds, the seconds between two steps: people wait for the first ones. */
const PAUSES: readonly (readonly [within: number, seconds: number])[] = [
  [60_000, 3],
  [900_000, 15],
  [7_200_000, 60],
];
const LAST_PAUSE = 300;

function pauseSeconds(sinceMs: number): number {
  return PAUSES.find(([within]) => sinceMs < within)?.[1] ?? LAST_PAUSE;
}
