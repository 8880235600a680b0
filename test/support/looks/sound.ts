import { readdirSync, readFileSync } from 'node:fs';
import { compose } from '../../../blueprints/engine/compose.ts';
import type { SoundProject } from './project.ts';
import { APPLICATIONS } from './sound/applications.ts';
import { MOVING } from './sound/moving.ts';
import { SITES } from './sound/sites.ts';
import { TOOLS } from './sound/tools.ts';

/** Prompts of the embedded provider whose projects are sound. */
const STARTERS = [
  'a todo list',
  'a snake game',
  'a dashboard of sales',
  'a kanban board',
  'a drum machine',
] as const;

const starters = STARTERS.map((prompt): SoundProject => {
  const files = compose(prompt, 'auto').map(({ path, content }) => [path, content]);
  return { name: `the starter of "${prompt}"`, files: Object.fromEntries(files) };
});

const BUILT = new URL('../../browser/vite-react/version-1/', import.meta.url);
const isFile = (path: string) => /\.\w+$/.test(path);

/** An application of React as Vite builds it. */
const react: SoundProject = {
  name: 'an application that was built',
  files: Object.fromEntries(
    readdirSync(BUILT, { recursive: true, encoding: 'utf8' })
      .filter(isFile)
      .map((path) => [path, readFileSync(new URL(path, BUILT), 'utf8')]),
  ),
};

/** Projects without a fault. */
export const SOUND: readonly SoundProject[] = [
  ...TOOLS,
  ...SITES,
  ...MOVING,
  ...APPLICATIONS,
  react,
  ...starters,
];
