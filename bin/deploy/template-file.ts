import { readFileSync } from 'node:fs';
import type { Template } from './record.ts';

/** Reads a synthesized template. */
export function readTemplate(file: string): Template {
  return JSON.parse(readFileSync(file, 'utf8')) as Template;
}
