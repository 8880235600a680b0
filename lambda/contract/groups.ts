/** Groups of operations, in the order of the reference, by the start of their paths. */
export const GROUPS = [
  {
    name: 'Generations',
    path: '/api/v1/generat',
    description: 'Generate projects from prompts, and follow, cancel and retrieve generations.',
  },
  {
    name: 'Deployments',
    path: '/api/v1/deploy',
    description: 'Publish files at a URL, and retrieve, roll back and delete deployments.',
  },
  {
    name: 'Builds',
    path: '/api/v1/builds',
    description: 'Build the source of a project that uses React, Vue or Svelte, TypeScript or packages.',
  },
  {
    name: 'Reports',
    path: '/api/v1/reports',
    description: 'Tell the operator about a page that does harm.',
  },
  { name: 'Assets', path: '/api/v1/assets/', description: 'Upload, retrieve and delete files of a user.' },
  {
    name: 'Providers',
    path: '/api/v1/providers',
    description: 'See which providers there are, and how they perform.',
  },
  { name: 'Usage', path: '/api/v1/usage', description: 'Retrieve what a key or token has used.' },
] as const;

/** Returns the name of an operation's group. */
export function groupOf({ path }: { readonly path: string }): (typeof GROUPS)[number]['name'] {
  const group = GROUPS.find((one) => path.startsWith(one.path));
  if (group === undefined) throw new Error(`${path} has no group: add one to GROUPS`);
  return group.name;
}
