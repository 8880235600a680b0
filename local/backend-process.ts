import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Settings } from '../terminal/settings.ts';
import type { MetricName, PutMetric } from './cloud/cloudwatch/metrics.ts';

/** A message of the backend's process: the value of a metric. */
export interface BackendMessage {
  readonly metric: MetricName;
  readonly value: number;
}

/** The deployment backend (S3 and DynamoDB) in its own process, so that it can be killed and restarted. */
export class BackendProcess {
  private readonly child: ChildProcess;
  private stopping = false;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  /** Starts the backend. Resolves once it listens, or rejects with its output if it exits. */
  static async start(
    settings: Settings,
    region: string,
    log: (line: string) => void,
    putMetric: PutMetric = () => {},
  ): Promise<BackendProcess> {
    const child = spawn(process.execPath, [fileURLToPath(new URL('./backend.ts', import.meta.url))], {
      // The IPC channel closes when this process ends for any reason, and then the backend exits.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        AWS_REGION: region,
        STATE_DIR: settings.stateDir,
        BACKEND_PORT: String(settings.backendPort),
      },
    });
    const backend = new BackendProcess(child);
    child.on('message', (message) => {
      const { metric, value } = message as BackendMessage;
      putMetric(metric, value);
    });
    const errors: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const { stdout, stderr } = child;
      if (stdout === null || stderr === null) throw new Error('The backend process has no stdout or stderr');
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
        if (!listening) reject(new Error(errors.join('\n') || 'The backend exited before it listened'));
        else if (!backend.stopping) {
          log(
            `The backend on port ${settings.backendPort} has exited: deploys fail with 502 until npm run backend restarts it`,
          );
        }
      });
    });
    return backend;
  }

  /** Shuts the backend down gracefully. Resolves once it has exited. */
  stop(): Promise<void> {
    this.stopping = true;
    return this.end('SIGTERM');
  }

  /** Kills the backend, as a crash of its host would. Resolves once it has exited. */
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
