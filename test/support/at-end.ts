import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Closes something once the tests of the file have ended. @returns it */
export function closeAtEnd<T extends { close(): unknown }>(started: T): T {
  afterAll(() => started.close());
  return started;
}

/** Makes a folder that is removed once the tests of the file have ended. @returns its path */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** @returns what makes new folders, which are removed once the tests of the file have ended */
export function temporaryFolders(): () => string {
  const folder = temporaryFolder();
  return () => mkdtempSync(join(folder, 'of-test-'));
}
