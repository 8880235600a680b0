import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where the local cloud listens and keeps its state. */
export interface Settings {
  readonly port: number;
  readonly backendPort: number;
  /** Absolute path. */
  readonly stateDir: string;
  /** Absolute path of the stage's configuration. */
  readonly configFile: string;
}

/**
 * Reads PORT, BACKEND_PORT, STATE_DIR and CONFIG_FILE.
 * @throws Error that names the variable, its value and what it must be
 */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const settings = {
    port: port('PORT', env.PORT, 3000),
    backendPort: port('BACKEND_PORT', env.BACKEND_PORT, 3009),
    // An empty variable is one that is not set: the working directory must not become a state that --fresh empties.
    stateDir: folder('STATE_DIR', env.STATE_DIR || '.local'),
    configFile: resolve(env.CONFIG_FILE || 'config/local.json'),
  };
  if (settings.port === settings.backendPort)
    throw new Error(`PORT and BACKEND_PORT must differ, both are ${settings.port}`);
  return settings;
}

function port(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
  throw new Error(`${name} must be a port from 1 to 65535, not "${text}"`);
}

/** @returns the absolute path of a folder that exists or may be created */
function folder(name: string, path: string): string {
  const absolute = resolve(path);
  const existing = statSync(absolute, { throwIfNoEntry: false });
  if (existing === undefined || existing.isDirectory()) return absolute;
  throw new Error(`${name} must be a folder, but ${absolute} is a file`);
}
