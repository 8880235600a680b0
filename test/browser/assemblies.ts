import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder where `startSiteCloud` keeps cloud assemblies for the other files of the run. */
export default (): void => {
  const folder = mkdtempSync(join(tmpdir(), 'ptp-assemblies-'));
  process.env.ASSEMBLIES = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
};
