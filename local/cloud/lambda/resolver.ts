import dns from 'node:dns';

/** Makes `dns.resolve…` in this thread ask a server, as functions on AWS ask the resolver of their network. `dns.lookup` stays as it is. */
export function resolveWith(server: string): void {
  dns.setServers([server]);
  dns.promises.setServers([server]);
}
