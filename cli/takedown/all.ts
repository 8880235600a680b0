import {
  bringBackPage,
  type CallerPage,
  type CallerTakedownOutcome,
  takeDownPage,
} from '../../lambda/deployments/manage.ts';
import { PointerStore } from '../../lambda/stored/pointer-store.ts';
import { confirm } from '../../terminal/ask.ts';
import type { CommandIo } from '../../terminal/program.ts';
import type { Stage } from '../stage.ts';
import type { NamedCaller } from './caller.ts';
import { dropCopies } from './copies.ts';
import { reasonText } from './reason.ts';

/** How many pages are changed at the same time. */
const CONCURRENT = 8;

export interface TakedownOfCaller {
  /** `null` brings its pages back. */
  readonly decision: { readonly at: number; readonly reason?: string } | null;
  readonly revoke: boolean;
  readonly yes: boolean;
}

/** Takes everything of a caller down, or brings back what that took down. The next run completes an interrupted one. */
export async function takeDownCaller(
  { name, pages, revoke }: NamedCaller,
  { decision, revoke: revokes, yes }: TakedownOfCaller,
  stage: Stage,
  io: CommandIo,
): Promise<void> {
  const { stdout } = io;
  const what = `${pages.length} ${pages.length === 1 ? 'page' : 'pages'} of ${name}`;
  if (pages.length === 0 && !revokes) return void stdout.write(`There are no pages of ${name}\n`);
  const question = `Take ${what} down${revokes ? ', and revoke its keys' : ''}?`;
  if (!yes) await confirm(decision ? question : `Bring what was taken down of ${what} back?`, io);
  // First: it may not publish another page meanwhile.
  const revoked = revokes ? await revoke() : [];
  for (const id of revoked) stdout.write(`Key ${id} is revoked\n`);
  const deployments = new PointerStore(stage.db, stage.output('DeploymentsTable'));
  const outcomes = await eachPage(
    pages,
    (page) => (decision ? takeDownPage(page, decision, deployments) : bringBackPage(page, deployments)),
    io,
  );
  const done = pages.filter((_, i) => outcomes[i] === 'done').map(({ id }) => id);
  for (const line of summary(outcomes, decision)) stdout.write(`${line}\n`);
  if (decision && done.length > 0)
    await dropCopies(done, `${done[0]}-takedown-${decision.at}`, decision.at, stage, stdout);
  if (revoked.length > 0)
    stdout.write(
      'A key works for up to 60 seconds after it is revoked: run the command again then, for what it deploys until then.\n',
    );
}

async function eachPage(
  pages: readonly CallerPage[],
  change: (page: CallerPage) => Promise<CallerTakedownOutcome>,
  { stderr }: CommandIo,
): Promise<CallerTakedownOutcome[]> {
  const outcomes: CallerTakedownOutcome[] = [];
  for (let from = 0; from < pages.length; from += CONCURRENT) {
    outcomes.push(...(await Promise.all(pages.slice(from, from + CONCURRENT).map(change))));
    if (outcomes.length % 100 < CONCURRENT && outcomes.length >= 100)
      stderr.write(`${outcomes.length} of ${pages.length}\n`);
  }
  return outcomes;
}

function summary(
  outcomes: readonly CallerTakedownOutcome[],
  decision: TakedownOfCaller['decision'],
): string[] {
  const count = (outcome: CallerTakedownOutcome) => outcomes.filter((one) => one === outcome).length;
  const pages = (n: number) => `${n} ${n === 1 ? 'page is' : 'pages are'}`;
  const done = decision
    ? `${pages(count('done'))} taken down, ${reasonText(decision.reason)}`
    : `${pages(count('done'))} no longer taken down`;
  const others: [CallerTakedownOutcome, string][] = [
    ['alone', 'taken down one by one'],
    ['claimed', 'claimed by a key since, whose pages --key takes'],
    ['not taken down', 'not taken down'],
  ];
  return [
    done,
    ...others.flatMap(([one, why]) => (count(one) > 0 ? [`Unchanged: ${count(one)}, ${why}`] : [])),
  ];
}
