import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Settings } from './settings.ts';

/** The deployment backend (S3 and DynamoDB), a process of its own so that it can be killed and brought back. */
export class BackendProcess {
  private readonly child: ChildProcess;
  private stopping = false;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  /** Resolves once it listens; rejects with what it says when it does not come up. */
  static async start(
    settings: Settings,
    region: string,
    log: (line: string) => void,
  ): Promise<BackendProcess> {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./backend.ts', import.meta.url))], {
      // The channel tells the backend when this process ends, however it ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        AWS_REGION: region,
        STATE_DIR: settings.stateDir,
        BACKEND_PORT: String(settings.backendPort),
      },
    });
    const backend = new BackendProcess(child);
    const errors: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error('the backend has no output');
      let listening = false;
      createInterface({ input: stdout }).on('line', (line) => {
        if (listening) log(line);
        else if (line.startsWith('backend ')) {
          listening = true;
          resolve();
        }
      });
      createInterface({ input: stderr }).on('line', (line) => (listening ? log(line) : errors.push(line)));
      child.once('error', reject);
      child.once('close', () => {
        if (!listening) reject(new Error(errors.join('\n') || 'The backend ended before it listened.'));
        else if (!backend.stopping) {
          log(
            `The backend on port ${settings.backendPort} is gone: deploys answer 502 now. "npm run backend" brings it back.`,
          );
        }
      });
    });
    return backend;
  }

  /** Lets it end in order; fulfilled once it is gone. */
  stop(): Promise<void> {
    this.stopping = true;
    return this.end('SIGTERM');
  }

  /** Ends it in the middle of what it does, as a crash of its host would; fulfilled once it is gone. */
  kill(): Promise<void> {
    return this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = new Promise((resolve) => this.child.once('close', resolve));
    this.child.kill(signal);
    await closed;
  }
}
