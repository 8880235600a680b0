import { budgetsOf } from './budgets.ts';
import { parseConfig, type StageConfig } from './config.ts';

/**
 * Returns what bounds callers and costs in a configuration, and the paths of the limits that differ from the defaults, for
 * `npm run limits`.
 */
export function limitsOutput(config: StageConfig) {
  const limits = limitsIn(config);
  // The default budgets depend on the providers.
  const { providers, prices } = config;
  const defaults = new Map(leaves(limitsIn({ ...parseConfig({}, 'the defaults'), providers, prices })));
  const configured = leaves(limits).flatMap(([path, value]) => (defaults.get(path) === value ? [] : [path]));
  return { limits, configured };
}

function limitsIn(config: StageConfig) {
  const { generation, assets, deployments, data } = config;
  const { rateLimit, bytesPerDay, throttle, concurrency, tables, apiGatewayDoor, waf } = config;
  return {
    rateLimit,
    bytesPerDay,
    generation: { anonymous: generation.anonymous, running: generation.running },
    budgets: budgetsOf(config),
    throttle,
    concurrency,
    tables,
    ...(data !== false && { data }),
    assets: { maxBytes: assets.maxBytes },
    deployments: { invalidationsPerMonth: deployments.invalidationsPerMonth },
    apiGatewayDoor,
    waf,
  };
}

/** Returns the values in an object with their paths, such as `rateLimit.key`. */
function leaves(object: object, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(object).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null ? leaves(value, `${prefix}${name}.`) : [[prefix + name, value]],
  );
}
