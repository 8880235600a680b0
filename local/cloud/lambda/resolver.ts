import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Makes `dns.resolve…` and resolvers in this thread ask a server, as functions on AWS ask the resolver of their network. `dns.lookup`
 * stays as it is.
 */
export function resolveWith(server: string): void {
  dns.setServers([server]);
  dns.promises.setServers([server]);
  dns.Resolver = asking(server, dns.Resolver);
  dns.promises.Resolver = asking(server, dns.promises.Resolver);
  syncBuiltinESMExports();
}

type ResolverClass = new (options?: dns.ResolverOptions) => { setServers(servers: readonly string[]): void };

function asking<Class extends ResolverClass>(server: string, resolver: Class): Class {
  return new Proxy(resolver, {
    construct(target, args, newTarget) {
      const created = Reflect.construct(target, args, newTarget) as InstanceType<Class>;
      created.setServers([server]);
      return created;
    },
  });
}
