import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SUFFIX = '.json';

/** Values in a folder, one file each. A completed write survives `kill -9`. */
export class JsonFolder<Value> {
  private readonly folder: string;

  /** @param folder absolute path; created if missing */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Returns all values. Skips files that a crash of the machine damaged. */
  all(): Value[] {
    const names = readdirSync(this.folder).filter((name) => name.endsWith(SUFFIX));
    return names.flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as Value];
      } catch {
        return [];
      }
    });
  }

  /** @param name a file name on every system */
  save(name: string, value: Value): void {
    const file = this.file(name);
    writeFileSync(`${file}.tmp`, JSON.stringify(value));
    renameSync(`${file}.tmp`, file);
  }

  delete(name: string): void {
    rmSync(this.file(name), { force: true });
  }

  private file(name: string): string {
    return join(this.folder, name + SUFFIX);
  }
}
