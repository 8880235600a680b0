import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Execution } from './execution.ts';

/** A running execution and the state that it entered last. */
export interface Checkpoint {
  readonly execution: Execution;
  readonly state: string;
  /** The state's raw input. */
  readonly input: unknown;
}

const SUFFIX = '.json';

/** The checkpoints of running executions, one file each. A write is complete when it returns, also for `kill -9`. */
export class ExecutionStore {
  private readonly folder: string;

  /** @param folder absolute path; created when it is missing */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** All checkpoints, the oldest execution first. A file that a crash of the machine damaged is left out. */
  all(): Checkpoint[] {
    const names = readdirSync(this.folder).filter((name) => name.endsWith(SUFFIX));
    return names
      .flatMap((name) => this.read(name))
      .toSorted((a, b) => a.execution.startDate - b.execution.startDate);
  }

  save(checkpoint: Checkpoint): void {
    const file = this.file(checkpoint.execution);
    writeFileSync(`${file}.tmp`, JSON.stringify(checkpoint));
    renameSync(`${file}.tmp`, file);
  }

  delete(execution: Pick<Execution, 'executionArn'>): void {
    rmSync(this.file(execution), { force: true });
  }

  private read(name: string): Checkpoint[] {
    try {
      return [JSON.parse(readFileSync(join(this.folder, name), 'utf8'))];
    } catch {
      return [];
    }
  }

  /** Names of executions are case-sensitive; names of files may not be. */
  private file({ executionArn }: Pick<Execution, 'executionArn'>): string {
    return join(this.folder, createHash('sha256').update(executionArn).digest('hex') + SUFFIX);
  }
}
