import { describeVerdict, type Verdict, verdicts } from '../../support/looks/verdicts.ts';

const MISSED = 2;
const ACCUSED = 1;

const wrong = (all: readonly Verdict[]) => all.filter(({ isRight }) => !isRight);

it('finds the faults of broken projects, and none in sound ones', async () => {
  const all = await verdicts();
  const broken = all.filter(({ isBroken }) => isBroken);
  const sound = all.filter(({ isBroken }) => !isBroken);
  expect([broken.length, sound.length]).toEqual([40, 40]);
  // The list says which they are, and what was found instead.
  const report = wrong(all).map(describeVerdict).join('\n');
  console.log(`${wrong(broken).length} missed, ${wrong(sound).length} accused\n${report}`);
  expect(wrong(broken).length > MISSED ? report : '').toBe('');
  expect(wrong(sound).length > ACCUSED ? report : '').toBe('');
}, 600_000);
