import { rmSync } from 'node:fs';

/** Jest's `globalTeardown`: deletes the templates. */
export default function stopTemplates(): void {
  if (process.env.TEST_TEMPLATES) rmSync(process.env.TEST_TEMPLATES, { recursive: true, force: true });
}
