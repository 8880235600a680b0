import { type Verdict, verdicts } from '../support/looks/verdicts.ts';

const findings = (all: readonly Verdict[]) =>
  Object.fromEntries(all.map(({ name, problems }) => [name, problems]));

it('finds the same in the same project each time', async () => {
  const first = await verdicts();
  const second = await verdicts();
  expect(findings(second)).toEqual(findings(first));
}, 1_200_000);
