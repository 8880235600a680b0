import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { buildStyles } from '../../support/builds/build-styles.ts';
import { CONFIG_3, TAILWIND_3, TAILWIND_4 } from '../../support/builds/tailwind-projects.ts';

/** The rules of the style sheet that Vite makes. */
function builtByVite(input: object): string[] {
  const script = join(import.meta.dirname, '../../fixtures/packages/vite-styles.ts');
  return rulesOf(execFileSync(process.execPath, [script], { input: JSON.stringify(input), encoding: 'utf8' }).trim());
}

const rulesOf = (css: string) => css.split(/(?<=[{};])/);

it('makes the style sheet of Tailwind 4 that Vite makes', async () => {
  const { css, problems, warnings } = await buildStyles(TAILWIND_4);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(rulesOf(css)).toEqual(builtByVite({ files: TAILWIND_4 }));
});

it('makes the style sheet of Tailwind 3 that Vite makes', async () => {
  const { css, problems, warnings } = await buildStyles(TAILWIND_3);
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] });
  expect(rulesOf(css)).toEqual(builtByVite({ files: TAILWIND_3, tailwind3: CONFIG_3 }));
});
