import type { Deployment, Version } from '../../lambda/stored/deployment.ts';

/** Returns a version of one page as it is stored, with other fields. */
export function aVersion(version: string, more: Partial<Version> = {}): Version {
  return { version, entry: 'index.html', title: null, fileCount: 1, bytes: 1, deployedAt: 1, ...more };
}

/** Returns a deployment without an owner as it is stored, whose live version is `v1`, with other fields. */
export function aDeployment(more: Partial<Deployment> = {}): Deployment {
  return {
    id: 'abcdefghijkl',
    owner: 'anonymous',
    createdAt: 1,
    live: 'v1',
    versions: [aVersion('v1')],
    announced: new Map(),
    ...more,
  };
}
