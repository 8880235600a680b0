import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import tls, { type ConnectionOptions, type TLSSocket } from 'node:tls';
import { HOST } from '../listen.ts';

/** The hosts of APIs in API Gateway, as they are in `https://<api id>.execute-api.<region>.<suffix>/<stage>`. */
const API_HOST = /^[^.]+\.execute-api\.[^/]+$/;

type Connect = (...args: unknown[]) => TLSSocket;

/**
 * Makes the hosts of API Gateway reachable from this thread, as they are from a function on AWS: a TLS connection to one of
 * them becomes a plain connection to the front door, which finds the API by the `Host` of the request.
 */
export function reachApis(frontDoorPort: number): void {
  const connect = tls.connect as Connect;
  const redirected: Connect = (...args) => {
    const { host, servername } = (typeof args[0] === 'object' ? args[0] : {}) as ConnectionOptions;
    if (!API_HOST.test(servername ?? host ?? '')) return connect(...args);
    const socket = net.connect({ host: HOST, port: frontDoorPort });
    socket.once('connect', () => socket.emit('secureConnect'));
    return Object.assign(socket, { authorized: true, alpnProtocol: false }) as unknown as TLSSocket;
  };
  tls.connect = redirected as typeof tls.connect;
  syncBuiltinESMExports();
}
