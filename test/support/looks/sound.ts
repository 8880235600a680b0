import { compose } from '../../../blueprints/engine/compose.ts';
import { sourceProject } from '../builds/projects.ts';
import { builtSite } from './built-site.ts';
import type { SoundProject } from './project.ts';
import { APPLICATIONS } from './sound/applications.ts';
import { MOVING } from './sound/moving.ts';
import { SITES } from './sound/sites.ts';
import { TOOLS } from './sound/tools.ts';

/** Prompts of the embedded provider whose projects are sound. */
const STARTERS = ['a todo list', 'a snake game', 'a dashboard of sales', 'a kanban board', 'a drum machine'] as const;

const starters = STARTERS.map((prompt): SoundProject => {
  const files = compose(prompt, 'auto').map(({ path, content }) => [path, content]);
  return { name: `the starter of "${prompt}"`, files: Object.fromEntries(files) };
});

/** An application of React with routes. */
const react: SoundProject = {
  name: 'an application that was built',
  files: await builtSite(sourceProject('wouter')),
};

/** Projects without a fault. */
export const SOUND: readonly SoundProject[] = [...TOOLS, ...SITES, ...MOVING, ...APPLICATIONS, react, ...starters];
