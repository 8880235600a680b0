import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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

/** Makes a folder that is empty at the start of each test of the file or block. @returns its path */
export function emptyFolder(): string {
  const folder = temporaryFolder();
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });
  return folder;
}
