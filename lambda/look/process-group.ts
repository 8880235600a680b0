import { readdirSync, readFileSync } from 'node:fs';

const INTERVAL_MS = 200;
/** Of x86_64 and of arm64 Linux with its usual configuration. */
const PAGE_BYTES = 4_096;

/** Ends all processes of a group at once. @param leader the process id of its first one */
export function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of them have ended.
  }
}

/**
 * Calls `act` while the processes of groups take more memory than allowed. Otherwise, the kernel would choose which process of the
 * function ends. Only Linux says how much they take; elsewhere it is never called.
 * @param leaders the process ids of the first ones
 * @returns a timer, to be cleared
 */
export function whenTooLarge(leaders: readonly number[], megabytes: number, act: () => void): NodeJS.Timeout {
  return setInterval(() => {
    if (bytesOf(leaders) > megabytes * 1_048_576) act();
  }, INTERVAL_MS);
}

/** Returns the memory that the processes of groups do not share with others, in bytes; 0 if this is not Linux. */
function bytesOf(leaders: readonly number[]): number {
  let bytes = 0;
  for (const id of processes()) {
    // The name, in parentheses, may have spaces: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html
    const [, , group] = read(`/proc/${id}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    if (!leaders.includes(Number(group))) continue;
    const [, resident = 0, shared = 0] = read(`/proc/${id}/statm`).split(' ').map(Number);
    bytes += (resident - shared) * PAGE_BYTES;
  }
  return bytes;
}

function processes(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Returns an empty text for a process that has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
