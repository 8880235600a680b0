import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AwsEvent } from './event.ts';

const SUFFIX = '.json';

/** The events that are not delivered yet, one file each. A completed write survives `kill -9`. */
export class EventStore {
  private readonly folder: string;

  /** @param folder absolute path; created if missing */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Returns all events. Skips files that a crash of the machine damaged. */
  all(): AwsEvent[] {
    const names = readdirSync(this.folder).filter((name) => name.endsWith(SUFFIX));
    return names.flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as AwsEvent];
      } catch {
        return [];
      }
    });
  }

  save(event: AwsEvent): void {
    const file = this.file(event);
    writeFileSync(`${file}.tmp`, JSON.stringify(event));
    renameSync(`${file}.tmp`, file);
  }

  delete(event: AwsEvent): void {
    rmSync(this.file(event), { force: true });
  }

  private file({ id }: AwsEvent): string {
    return join(this.folder, `${id}${SUFFIX}`);
  }
}
