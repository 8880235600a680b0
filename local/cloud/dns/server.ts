import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { HOST } from '../listen.ts';
import { type Question, readQuestion, reply, STATUS } from './message.ts';
import type { DnsRecords } from './records.ts';

/**
 * Starts the resolver of the functions, which answers from the records over UDP (RFC 1035).
 * @returns its address, as `dns.setServers` takes it
 */
export async function listenDns(
  records: DnsRecords,
  resources: AsyncDisposableStack,
  log: (line: string) => void,
): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (message, peer) => {
    const question = readQuestion(message);
    if (question) socket.send(answer(question, records, log), peer.port, peer.address);
  });
  socket.bind(0, HOST);
  await once(socket, 'listening');
  resources.defer(() => new Promise<void>((resolve) => socket.close(() => resolve())));
  return `${HOST}:${socket.address().port}`;
}

function answer(question: Question, records: DnsRecords, log: (line: string) => void): Buffer {
  const { name, type } = question;
  try {
    const values = records.find(name, type ?? 'TXT');
    if (values === undefined) return reply(question, STATUS.noSuchName);
    return reply(question, STATUS.ok, type === undefined ? [] : values);
  } catch (error) {
    log(`DNS: ${(error as Error).message}`);
    return reply(question, STATUS.serverFailure);
  }
}
