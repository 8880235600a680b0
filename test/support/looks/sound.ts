import { compose } from '../../../blueprints/engine/compose.ts';
import { build } from '../../../lambda/builds/build.ts';
import { MemorySlot } from '../build-project.ts';
import { sourceProject } from '../builds/projects.ts';
import { diskPackages } from '../disk-packages.ts';
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

const built = await build(
  { files: sourceProject('react-ts'), env: {}, preview: false, chosen: {} },
  { packages: diskPackages(), vendor: new MemorySlot() },
);

/** A template of Vite with React, as the service builds it. */
const react: SoundProject = {
  name: 'an application that was built',
  files: Object.fromEntries(
    Array.from(built.files, ([path, content]) => [path, Buffer.from(content).toString()]),
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
