import { existsSync } from 'node:fs';
import { readConfig, type StageConfig } from '../../lib/config.ts';

const DEFAULT_FILE = 'config/default.json';

/** A stage's configuration and where it is. */
export interface StageFile {
  readonly file: string;
  readonly config: StageConfig;
}

/**
 * Returns the configuration of a stage: `CONFIG_FILE`, `config/<stage>.json` if it exists, or `config/default.json`.
 * @param stage undefined for the stage of the configuration itself
 * @param exists reports whether a file exists
 * @throws Error if the configuration is another stage's, which would change that one
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
  const what = `The configuration ${file} is that of the stage ${config.stage}, not of ${stage}`;
  throw new Error(`${what}: ${file === named ? 'set its "stage"' : `create ${named}`}`);
}
