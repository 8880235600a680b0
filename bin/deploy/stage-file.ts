import { existsSync } from 'node:fs';
import { readConfig, type StageConfig } from '../../lib/config.ts';

const DEFAULT_FILE = 'config/default.json';

/** A stage's configuration and its path. */
export interface StageFile {
  readonly file: string;
  readonly config: StageConfig;
}

/**
 * Returns the configuration of a stage: `CONFIG_FILE`, `config/<stage>.json` if it exists, or `config/default.json`.
 * @param stage undefined for the stage that the configuration specifies
 * @param exists reports whether a file exists
 * @throws Error if the configuration is for another stage, which the deployment would change
 */
export function stageFileOf(
  stage: string | undefined,
  env: NodeJS.ProcessEnv,
  exists: (file: string) => boolean = existsSync,
): StageFile {
  const named = `config/${stage}.json`;
  const file = env.CONFIG_FILE || (stage !== undefined && exists(named) ? named : DEFAULT_FILE);
  const config = readConfig(file);
  if (stage === undefined || config.stage === stage) return { file, config };
  const what = `The configuration ${file} is for the stage ${config.stage}, not ${stage}`;
  throw new Error(`${what}: ${file === named ? 'set its "stage"' : `create ${named}`}`);
}
