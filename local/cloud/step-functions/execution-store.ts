import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The output of `DescribeExecution`. Times are Unix seconds. */
export interface Execution {
  readonly executionArn: string;
  readonly stateMachineArn: string;
  readonly name: string;
  readonly input: string;
  readonly startDate: number;
  readonly status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  readonly stopDate?: number;
  readonly output?: string;
  readonly error?: string;
  readonly cause?: string;
}

/** A running execution and the last state that it entered. */
export interface Checkpoint {
  readonly execution: Execution;
  readonly state: string;
  /** The raw input of the state. */
  readonly input: unknown;
}

const SUFFIX = '.json';

/** The checkpoints of running executions, one file each. A completed write survives `kill -9`. */
export class ExecutionStore {
  private readonly folder: string;

  /** @param folder absolute path; created if missing */
  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Returns all checkpoints, oldest execution first. Skips files that a crash of the machine damaged. */
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

  /** Returns a hashed path, because execution names are case-sensitive and file names may not be. */
  private file({ executionArn }: Pick<Execution, 'executionArn'>): string {
    return join(this.folder, createHash('sha256').update(executionArn).digest('hex') + SUFFIX);
  }
}
