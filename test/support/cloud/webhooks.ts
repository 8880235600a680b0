import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Receiver, startReceiver } from '../receiver.ts';
import { cloud } from './cloud.ts';
import { until } from './events.ts';

const receivers: Receiver[] = [];

/** Ends the receivers of a test: for `afterEach`. */
export function closeReceivers(): void {
  for (const { close } of receivers.splice(0)) close();
}

/** Starts a receiver of notifications, which `closeReceivers` ends. */
export async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args);
  receivers.push(started);
  return started;
}

/** Waits until a delivery that has begun is over: the checkpoint of its execution is gone. */
export const deliveryOver = (id: string) =>
  until(async () => {
    const folder = join(cloud().stateDir, 'executions');
    return readdirSync(folder).every((name) => {
      try {
        return !readFileSync(join(folder, name), 'utf8').includes(`"name":"${id}"`);
      } catch {
        return true;
      }
    });
  });

/** Waits for notifications, and for the end of the delivery of the first one; returns the first request. */
export async function received({ requests }: Receiver, count = 1) {
  await until(async () => requests.length >= count);
  const [first] = requests as [Receiver['requests'][number]];
  await deliveryOver(first.id);
  return first;
}
