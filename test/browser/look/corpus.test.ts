import { filesOf } from '../../support/build-project.ts';
import { builtSite } from '../../support/looks/built-site.ts';
import { lineOf } from '../../support/looks/project.ts';
import { describeVerdict, lookAtProject, type Verdict, verdicts } from '../../support/looks/verdicts.ts';

const MISSED = 2;
const ACCUSED = 1;

const wrong = (all: readonly Verdict[]) => all.filter(({ isRight }) => !isRight);

it('finds the faults of broken projects, and none in sound ones', async () => {
  const all = await verdicts();
  const broken = all.filter(({ isBroken }) => isBroken);
  const sound = all.filter(({ isBroken }) => !isBroken);
  expect([broken.length, sound.length]).toEqual([34, 40]);
  const report = wrong(all).map(describeVerdict).join('\n');
  console.log(`${wrong(broken).length} missed, ${wrong(sound).length} accused\n${report}`);
  // The report says which, and what was found instead.
  expect(wrong(broken).length > MISSED ? report : '').toBe('');
  expect(wrong(sound).length > ACCUSED ? report : '').toBe('');
}, 1_800_000);

it('names the place of an error in the source of a built project', async () => {
  const counter = `import { useState } from 'react';

interface Props { readonly label: string }

export function Counter({ label }: Props) {
  const [count, setCount] = useState<number>(0);
  const limits: { most?: { value: number } } = {};
  const add = () => setCount(Math.min(count + 1, limits.most!.value));
  return <button onClick={add}>{label}: {count}</button>;
}
`;
  const files = await builtSite(
    filesOf({
      'index.html':
        '<!doctype html><html lang="en"><head><title>A</title><link rel="icon" href="data:,"></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
      'src/main.tsx': `import { createRoot } from 'react-dom/client';
import { Counter } from './Counter';
createRoot(document.getElementById('root')!).render(<main><h1>Counter</h1><Counter label="Count" /></main>);
`,
      'src/Counter.tsx': counter,
    }),
  );
  const { problems } = await lookAtProject({ name: 'built', files });
  expect(problems).toEqual([
    {
      kind: 'error',
      message: expect.stringMatching(/reading 'value'\), after a press of "Count: 0"$/),
      path: 'src/Counter.tsx',
      line: lineOf(counter, 'limits.most!'),
      column: expect.any(Number),
    },
  ]);
});
