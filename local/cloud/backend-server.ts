import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Account } from './account.ts';
import { type AwsReply, BodyTooLarge, readRequest, sendReply } from './aws-http.ts';
import { DynamoDb, type DynamoDbSettings, TARGET_PREFIX } from './dynamodb.ts';
import { bindConfigured, HOST } from './listen.ts';
import { S3 } from './s3/s3.ts';
import { type AwsService, verify } from './sigv4.ts';

export interface Backend {
  readonly url: string;
  /** Waits up to a second for active requests, then closes the files. */
  close(): Promise<void>;
}

interface BackendSettings extends DynamoDbSettings {
  readonly backendPort: number;
  readonly stateDir: string;
}

const DRAIN_MS = 1000;

/**
 * Starts the S3 and DynamoDB endpoint of an account on one port; 0 chooses a free one.
 * @throws Error when the port or the state is in use
 */
export async function startBackend(
  account: Account,
  { backendPort, stateDir, ...ofDynamoDb }: BackendSettings,
): Promise<Backend> {
  const dynamodb = await DynamoDb.open(account, join(stateDir, 'dynamodb'), ofDynamoDb);
  const s3 = new S3(account, join(stateDir, 's3'));

  const server = createServer((incoming, response) => {
    const target = incoming.headers['x-amz-target'];
    const service = typeof target === 'string' && target.startsWith(TARGET_PREFIX) ? dynamodb : s3;
    replyTo(service, account, incoming)
      .then((reply) => sendReply(reply, response))
      .catch((error: NodeJS.ErrnoException) => {
        // The client disconnected during its request.
        if (error.code !== 'ECONNRESET') console.error(error);
        response.destroy();
      });
  });
  try {
    await bindConfigured(server, 'BACKEND_PORT', backendPort);
  } catch (error) {
    await dynamodb.close();
    throw error;
  }
  return {
    url: `http://${HOST}:${(server.address() as AddressInfo).port}`,
    close: async () => {
      await shut(server);
      await dynamodb.close();
    },
  };
}

async function replyTo(service: AwsService, account: Account, incoming: IncomingMessage): Promise<AwsReply> {
  try {
    const request = await readRequest(incoming, service.maxBodyBytes);
    const scope = { service: service.signingName, region: account.region };
    return await service.handle(request, await verify(request, scope, account.principals));
  } catch (error) {
    if (error instanceof BodyTooLarge) return service.bodyTooLarge;
    throw error;
  }
}

async function shut(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
  server.closeAllConnections();
  await closed;
}
