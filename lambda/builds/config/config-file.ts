import type { Files } from '../files.ts';
import { ConfigSyntaxError, evaluateConfig } from './evaluator.ts';
import { ObjectValue, type Value, type Warn } from './values.ts';

/** Returns what a configuration file exports; undefined if it cannot be parsed. */
export function readableConfig(files: Files, path: string): Value {
  try {
    return evaluateConfig(files, path);
  } catch (error) {
    if (error instanceof ConfigSyntaxError) return undefined;
    throw error;
  }
}

/** Returns the object that a configuration file exports. If it cannot be read, warns and returns undefined. */
export function configObject(
  files: Files,
  path: string,
  warn: Warn,
  known?: Parameters<typeof evaluateConfig>[2],
  variables?: Value,
): ObjectValue | undefined {
  try {
    const value = evaluateConfig(files, path, known, variables);
    if (value instanceof ObjectValue) return value;
    warn({ path, offset: 0 }, 'This file is ignored, because its value is not an object that can be read');
  } catch (error) {
    if (!(error instanceof ConfigSyntaxError)) throw error;
    warn(error, `This file is ignored, because it cannot be parsed: ${error.message}`);
  }
  return undefined;
}
