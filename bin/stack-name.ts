import type { StageConfig } from '../lib/config.ts';

/** Returns the name of a stage's stack. */
export function stackNameOf({ stage }: Pick<StageConfig, 'stage'>): string {
  return `prompt-to-project-${stage}`;
}

/** Returns the region of a deploy if the environment names one; otherwise the profile does. */
export function regionOf(env: NodeJS.ProcessEnv): string | undefined {
  return env.CDK_DEFAULT_REGION ?? env.AWS_REGION ?? env.AWS_DEFAULT_REGION;
}
