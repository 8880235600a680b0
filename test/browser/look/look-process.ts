import { type ChildProcess, fork } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { LookOutcome } from '../../../lambda/look/handle-look.ts';
import { packContents } from '../../../lambda/sites/archive.ts';
import { testChromium } from '../../support/looks/chromium.ts';

/** The look function in a process of its own, whose environment has what Lambda's has. */
export class LookProcess {
  readonly #child: ChildProcess;
  readonly #sites = new Map<string, Uint8Array>();
  readonly #server: Server;

  private constructor(child: ChildProcess, server: Server) {
    this.#child = child;
    this.#server = server;
    server.on('request', (request, response) => response.end(this.#sites.get(String(request.url))));
  }

  /** @param env what pages must not read */
  static async start(env: Readonly<Record<string, string>>): Promise<LookProcess> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const child = fork(new URL('run-look.ts', import.meta.url), {
      env: { ...env, PTP_CHROMIUM: testChromium() },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    return new LookProcess(child, server);
  }

  /** Invokes the function for a site. @throws Error of the function */
  async look(files: Readonly<Record<string, string>>): Promise<LookOutcome> {
    const path = `/${this.#sites.size}`;
    const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
    this.#sites.set(path, packContents(new Map(contents)));
    const { port } = this.#server.address() as AddressInfo;
    const answer = new Promise<LookOutcome>((resolve, reject) => {
      this.#child.once('message', (message: { outcome?: LookOutcome; error?: string }) =>
        message.outcome ? resolve(message.outcome) : reject(new Error(message.error)),
      );
      this.#child.once('exit', (code) => reject(new Error(`The function has exited with ${code}`)));
    });
    this.#child.send({ in: `http://127.0.0.1:${port}${path}`, entry: 'index.html' });
    return await answer;
  }

  async close(): Promise<void> {
    this.#child.kill();
    await new Promise((closed) => this.#server.close(closed));
  }
}
