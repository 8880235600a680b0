import { statSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where the local cloud listens and keeps its state. */
export interface Settings {
  readonly port: number;
  readonly backendPort: number;
  /** Absolute path. */
  readonly stateDir: string;
  /** Absolute path of the configuration file. */
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
    // Treats an empty variable as unset: otherwise --fresh would empty the working directory.
    stateDir: folder('STATE_DIR', env.STATE_DIR || '.local'),
    configFile: resolve(env.CONFIG_FILE || 'config/local.json'),
  };
  if (settings.port === settings.backendPort)
    throw new Error(`PORT and BACKEND_PORT are both ${settings.port}: set them to different ports`);
  return settings;
}

function port(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined || text === '') return fallback;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0 && value < 65_536) return value;
  throw new Error(`Invalid ${name} "${text}": expected a port from 1 to 65535`);
}

/** Returns the absolute path of a folder, which may not exist yet. */
function folder(name: string, path: string): string {
  const absolute = resolve(path);
  const existing = statSync(absolute, { throwIfNoEntry: false });
  if (existing === undefined || existing.isDirectory()) return absolute;
  throw new Error(`Invalid ${name} ${absolute}: it is a file, not a folder`);
}
