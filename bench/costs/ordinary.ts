import type { StageConfig } from '../../lib/config.ts';
import { AWS } from './aws-prices.ts';
import { doorCost, GB, requestCost, secondCost } from './cost.ts';
import type { Measured } from './measured.ts';
import { MODELS, NATURAL, priceOf, TOKENS_PER_SECOND, tokensCost } from './tokens.ts';

/** Of a page view: a page with three more files, compressed. */
export const VIEW = { requests: 4, bytes: 100_000 };

/** Those of `lib/front-door/web-acl.ts`: own calls, reputation, and a rate each for the API and for pages. */
const WEB_ACL_RULES = 4;

/** With the secret that exempts the service's own calls. */
const WEB_ACL_MONTH = AWS.webAclMonth + WEB_ACL_RULES * AWS.webAclRuleMonth + AWS.secretMonth;

/**
 * What a deploy with a build uses besides those of a deploy: the input, the result, the packages' bundle and the built site, and the
 * packages of a project like the dashboard of the benchmarks.
 */
const BUILD = { seconds: 2, s3Reads: 4, s3Writes: 4, packages: 60 };

/**
 * A look at a project of eight files, as `npm run bench -- looks` measures it: half of its 3 s is spent using the page. Its input and its
 * result are written, and looked for. A first look of a caller also unpacks the browser.
 */
const LOOK = { gigabytes: 2, seconds: 3, first: 6, s3Reads: 2, s3Writes: 2 };

/** An item of a busy page has 9 KB: 1,024 visitors, 50 paths and some sites. It is written once for 25 views. */
const COUNTING = { batch: 25, writeUnits: 9 };

/**
 * The runs of the canary in 30 days, the requests of each run, its metrics, and the durations of functions, including their cold
 * starts on an idle stage.
 */
const CANARY = {
  runs: 30 * 24 * 12,
  apiRequests: 4,
  visits: 1,
  metrics: 2,
  seconds: { CanaryFunction: 5, GenerationApi: 1 },
};

/** AWS charges for none, for some together, and for each of the others. https://aws.amazon.com/cloudfront/pricing/ */
const TENANTS = { free: 10, together: 200 };

/** A row of the document: what it is, and its cost in US dollars. */
export interface Row {
  readonly what: string;
  readonly usd: number;
  readonly why: string;
}

/** Returns what ordinary use of a stage costs. */
export function ordinaryRows(config: StageConfig, measured: Measured): Row[] {
  return [
    idleMonth(config, measured),
    alarmsMonth(measured),
    canaryMonth(measured),
    ...generations(measured),
    ...deploys(measured),
    ...recovery(),
    ...views(measured),
    ...domains(),
  ];
}

function idleMonth({ waf, oauth }: StageConfig, { secrets }: Measured): Row {
  const machineClient = oauth === 'cognito' ? AWS.machineClientMonth : 0;
  const webAcl = waf ? WEB_ACL_MONTH : 0;
  return {
    what: 'an idle month',
    usd: secrets * AWS.secretMonth + machineClient + webAcl,
    why:
      `${secrets} secrets; each vendor's key is one more. \`"oauth": "cognito"\` adds ${dollars(AWS.machineClientMonth)}, ` +
      `\`"waf": true\` ${dollars(WEB_ACL_MONTH)}, stored files ` +
      `${dollars(AWS.storedGigabyte)} per GB`,
  };
}

/** A custom metric costs only in the hours in which it has values. The canary's metrics are in its own row. */
function alarmsMonth({ alarms }: Measured): Row {
  const { metrics, composites } = alarms;
  return {
    what: 'a month of alarms and the dashboard',
    usd: metrics * AWS.alarmMetricMonth + composites * AWS.compositeMonth,
    why:
      `${metrics} metrics of alarms, and ${composites} composite alarm. The first three dashboards of an account are free. Each custom metric ` +
      `adds up to ${dollars(AWS.metricMonth)} if it has values all month: with three providers, there are 16 besides those of the canary`,
  };
}

function canaryMonth(measured: Measured): Row {
  const { runs, apiRequests, visits, metrics, seconds } = CANARY;
  const doors = (apiRequests - 1) * doorCost('api') + visits * doorCost('page');
  const run = requestCost(measured.requests.canary, 'api', measured, seconds) + doors;
  const generation = requestCost(measured.requests.generate, 'api', measured, seconds);
  const ofMetrics = metrics * AWS.metricMonth;
  return {
    what: 'a month of the canary',
    usd: runs * run + ofMetrics,
    why:
      `${round(runs)} runs; ${dollars(runs * generation)} of it is for generations, which a stage without the embedded provider does not make, ` +
      `and ${dollars(ofMetrics)} for ${metrics} metrics. \`"canary": { "enabled": false }\` turns it off`,
  };
}

function generations(measured: Measured): Row[] {
  const { requests, memoryMb } = measured;
  const seconds = NATURAL.output / TOKENS_PER_SECOND;
  const shareOf = (name: string) => seconds / (requests.generateWithModel.invocations[name] ?? 1);
  const durations = {
    GenerationApi: shareOf('GenerationApi'),
    GenerationAttempt: shareOf('GenerationAttempt'),
  };
  const withModel = requestCost(requests.generateWithModel, 'api', measured, durations);
  const blueprint = requestCost(requests.generate, 'api', measured, { GenerationApi: 1 });
  const byModel = MODELS.map((model) => ({
    what: `1,000 generations with ${model}`,
    usd: 1_000 * (withModel + tokensCost(model, NATURAL)),
    why: `${dollars(1_000 * tokensCost(model, NATURAL))} of them for tokens, at ${priceText(model)}`,
  }));
  const tokens = `${round(NATURAL.output)} tokens of output`;
  return [
    {
      what: '1,000 generations with the embedded provider',
      usd: 1_000 * blueprint,
      why: 'no model is called',
    },
    {
      what: '1,000 generations with a model, without its tokens',
      usd: 1_000 * withModel,
      why: `two functions run for ${Math.round(seconds)} s, in which ${tokens} arrive: one writes, one waits with the client. With \`Prefer: respond-async\` nobody waits, and it is ${dollars(1_000 * (withModel - seconds * secondCost(memoryMb.GenerationApi ?? 512)))}`,
    },
    ...byModel,
  ];
}

function priceText(model: string): string {
  const { input, output } = priceOf(model);
  return `$${input} and $${output} per million of input and output`;
}

function deploys(measured: Measured): Row[] {
  const { requests } = measured;
  const { deploy } = requests;
  const source = {
    ...deploy,
    s3Reads: deploy.s3Reads + BUILD.s3Reads + BUILD.packages,
    s3Writes: deploy.s3Writes + BUILD.s3Writes,
    invocations: { ...deploy.invocations, BuildsBuild: 1 },
  };
  const seconds = { DeploymentsApi: BUILD.seconds + 0.3, BuildsBuild: BUILD.seconds };
  return [
    {
      what: '1,000 deploys',
      usd: 1_000 * requestCost(requests.deploy, 'api', measured),
      why: 'new pages; their files are stored until they are deleted',
    },
    {
      what: '1,000 deploys of source',
      usd: 1_000 * requestCost(source, 'api', measured, seconds),
      why: `a build of ${BUILD.seconds} s, for which the deploy waits, with ${BUILD.packages} packages that are stored. An instance that starts for a caller costs extra`,
    },
    looks(),
    {
      what: '1,000 redeploys',
      usd: 1_000 * requestCost(requests.redeploy, 'api', measured),
      why: 'each also deletes the oldest of eleven versions',
    },
  ];
}

/** How many days deleted files and former states of tables are kept. */
const RECOVERY_DAYS = 35;

function recovery(): Row[] {
  return [
    {
      what: '100 GB of deleted or replaced files',
      usd: (100 * AWS.storedGigabyte * RECOVERY_DAYS) / 30,
      why: `they are kept for ${RECOVERY_DAYS} days. Former states of tables are kept as long, and cost ${dollars(AWS.recoveryGigabyte)} a month for each GB of items`,
    },
    {
      what: 'a restore of 1 million deployments',
      usd:
        1e6 * (AWS.writeUnit * 2 + AWS.readUnit + 2 * AWS.s3Write + AWS.s3Write) +
        (1e6 * 1_500 * AWS.restoredGigabyte) / GB,
      why: 'with items of 1.5 KB and one object each, which is listed twice and copied',
    },
  ];
}

function looks(): Row {
  const { gigabytes, seconds, first, s3Reads, s3Writes } = LOOK;
  const compute = gigabytes * seconds * AWS.gigabyteSecondX86 + AWS.invocation;
  return {
    what: '1,000 looks of the browser',
    usd: 1_000 * (compute + s3Reads * AWS.s3Read + s3Writes * AWS.s3Write),
    why: `${gigabytes * seconds} GB-seconds each, and ${gigabytes * first} for the first of a caller; at each attempt that ended, and after each deploy. A page that hangs or crashes the browser takes at most 104`,
  };
}

function views(measured: Measured): Row[] {
  const revalidated = requestCost(measured.requests.visit, 'page', measured);
  const bytes = (VIEW.bytes / GB) * AWS.egressGigabyte;
  const view = (asked: number) => asked * revalidated + (VIEW.requests - asked) * doorCost('page') + bytes;
  const egress = dollars(1e6 * bytes);
  return [
    {
      what: '1 million page views, every file revalidated',
      usd: 1e6 * view(VIEW.requests),
      why: `a page and three files with plain names; ${egress} of it is for the bytes`,
    },
    {
      what: '1 million page views, files cached',
      usd: 1e6 * view(1),
      why: 'the three files have a hash in their names: the edge asks for the page only',
    },
    {
      what: 'counting 1 million of these views',
      usd: (1e6 / COUNTING.batch) * COUNTING.writeUnits * AWS.writeUnit,
      why: `if they are of busy pages, which are written once for ${COUNTING.batch} views. Quiet pages take up to a write for each view, ${dollars(1e6 * AWS.writeUnit)}. \`"analytics": false\` turns counting off`,
    },
    {
      what: '1 million page views, all cached',
      usd: 1e6 * view(0),
      why: 'what `edgeSeconds` approaches, which counts none',
    },
  ];
}

function domains(): Row[] {
  const monthOf = (count: number) =>
    (count > TENANTS.free ? AWS.tenantsMonth : 0) + Math.max(0, count - TENANTS.together) * AWS.tenantMonth;
  const { free, together } = TENANTS;
  return [
    {
      what: `a month of ${together} domains of callers`,
      usd: monthOf(together),
      why: `with \`"customDomains": true\`; the first ${free} cost nothing, and certificates neither. Each is a distribution tenant, of which AWS allows 10,000`,
    },
    {
      what: 'a month of 1,000 domains of callers',
      usd: monthOf(1_000),
      why: `${dollars(AWS.tenantMonth)} for each beyond ${together}`,
    },
  ];
}

/** Returns an amount in US dollars with two significant digits, and whole dollars from 100 on. */
export function dollars(usd: number): string {
  if (usd === 0) return '$0';
  if (usd >= 100) return `$${round(usd)}`;
  if (usd >= 0.1) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(2))}`;
}

export const round = (value: number) => Math.round(value).toLocaleString('en');
