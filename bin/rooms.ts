/** A folder, and what its files may import besides each other. */
interface Room {
  readonly why: string;
  /** Other rooms, without the rooms in them; files; and other folders with all that is in them. */
  readonly imports: readonly string[];
  /** It imports no package but Node's own modules. */
  readonly noPackages?: true;
}

const CONTRACT = 'lambda/contract';
const PLATFORM = 'lambda/platform';
const SITES = 'lambda/sites';
const ACCESS = 'lambda/access';
const STORED = 'lambda/stored';
const HTTP = 'lambda/http';

/** The rooms that a capability that responds to requests may import. */
const BELOW = [CONTRACT, PLATFORM, SITES, ACCESS, STORED, HTTP];

const CAPABILITY = 'Capabilities do not import each other: what two of them need goes below both.';

/**
 * What each room may import. A file belongs to the deepest room that it is in; a folder without a row belongs to the room
 * around it. `test/` may import everything. Checked by `npm run lint`, for imports of types as well.
 */
export const ROOMS: Readonly<Record<string, Room>> = {
  [CONTRACT]: { why: 'The contract imports nothing but itself.', imports: [] },
  [PLATFORM]: { why: 'The platform imports nothing of the product.', imports: [] },
  [SITES]: { why: 'What a website is: pure functions.', imports: [CONTRACT, PLATFORM] },
  [ACCESS]: { why: 'Access knows neither HTTP nor a capability.', imports: [CONTRACT, PLATFORM] },
  [STORED]: {
    why: 'What is stored, and who may see it: below every capability.',
    imports: [CONTRACT, PLATFORM, SITES, ACCESS],
  },
  [HTTP]: { why: 'The pipeline knows callers, not capabilities.', imports: [CONTRACT, PLATFORM, ACCESS] },

  'lambda/generation': {
    why: 'What requests and attempts share knows neither of them.',
    imports: [
      ...BELOW,
      'lambda/generation/edits',
      'lambda/generation/images',
      'lambda/generation/problems',
      'lambda/generation/providers/provider.ts',
    ],
  },
  'lambda/generation/api': {
    why: 'Requests start attempts by the state machine only.',
    imports: [
      ...BELOW,
      'lambda/generation',
      'lambda/generation/edits',
      'lambda/generation/images',
      'lambda/generation/providers/traits.ts',
    ],
  },
  'lambda/generation/attempt': {
    why: 'Attempts run in the state machine, and know no HTTP.',
    imports: [
      CONTRACT,
      PLATFORM,
      SITES,
      ACCESS,
      STORED,
      'lambda/generation',
      'lambda/generation/attempt/answer',
      'lambda/generation/edits',
      'lambda/generation/providers',
    ],
  },
  'lambda/generation/attempt/answer': {
    why: 'An answer is read as text: nothing is stored.',
    imports: [
      CONTRACT,
      SITES,
      STORED,
      'lambda/generation',
      'lambda/generation/edits',
      'lambda/generation/providers/provider.ts',
    ],
  },
  'lambda/generation/edits': {
    why: 'Changes of a project know no provider.',
    imports: [CONTRACT, SITES, STORED, HTTP, 'lambda/generation', 'lambda/generation/problems'],
  },
  'lambda/generation/images': {
    why: 'Images know no generation.',
    imports: [CONTRACT, PLATFORM, SITES, ACCESS, 'lambda/generation/providers/provider.ts'],
  },
  'lambda/generation/problems': {
    why: 'Problems are found in files alone.',
    imports: [CONTRACT, SITES, STORED],
  },
  'lambda/generation/providers': {
    why: 'A provider gets a request and streams text. The embedded one is made of starters, which know nothing of generations.',
    imports: [
      CONTRACT,
      PLATFORM,
      STORED,
      'lambda/generation',
      'lambda/generation/images',
      'blueprints/engine',
      'blueprints/edits',
    ],
  },
  'lambda/deployments': { why: CAPABILITY, imports: BELOW },
  'lambda/data': { why: CAPABILITY, imports: BELOW },
  'lambda/builds': {
    why: 'A build gets files and returns files: it knows neither callers nor what is stored.',
    imports: [CONTRACT, PLATFORM, SITES],
  },
  'lambda/look': {
    why: 'A look gets files and returns what a browser saw: it knows neither callers nor what is stored.',
    imports: [CONTRACT, PLATFORM, SITES],
  },
  'lambda/visits': {
    why: 'Visits have no callers: they know addresses, and count them.',
    imports: [
      `${CONTRACT}/limits.ts`,
      `${CONTRACT}/looks.ts`,
      PLATFORM,
      SITES,
      STORED,
      `${ACCESS}/shared-counter.ts`,
      `${ACCESS}/viewer-address.ts`,
    ],
  },
  'lambda/assets': { why: CAPABILITY, imports: [CONTRACT, PLATFORM, ACCESS, HTTP] },
  'lambda/reports': { why: CAPABILITY, imports: [CONTRACT, PLATFORM, ACCESS, STORED, HTTP] },
  'lambda/usage': { why: CAPABILITY, imports: [CONTRACT, PLATFORM, ACCESS, HTTP] },
  'lambda/canary': {
    why: 'The canary uses the service through its public URL, and imports no capability.',
    imports: [CONTRACT, PLATFORM, ACCESS, `${SITES}/edge.ts`],
  },
  'lambda/webhooks': { why: CAPABILITY, imports: [CONTRACT, PLATFORM] },
  'lambda/mcp': {
    why: 'The server for agents calls the API with the client.',
    imports: [
      CONTRACT,
      PLATFORM,
      HTTP,
      'client',
      `${ACCESS}/credential-errors.ts`,
      `${ACCESS}/viewer-address.ts`,
      'package.json',
    ],
  },

  'blueprints/kit': { why: 'Starters know the contract only.', imports: [CONTRACT] },
  'blueprints/kinds': {
    why: 'A kind is made of what the kit has.',
    imports: ['blueprints/kit'],
  },
  'blueprints/engine': {
    why: 'Starters know the contract only.',
    imports: [CONTRACT, 'blueprints/kit', 'blueprints/kinds'],
  },
  'blueprints/edits': {
    why: 'Starters know the contract only.',
    imports: [CONTRACT, 'blueprints/kit', 'blueprints/engine'],
  },

  client: {
    why: 'The client runs without this project: types are all that it imports.',
    imports: ['client/types.ts'],
    noPackages: true,
  },
  'client/types.ts': { why: 'Types of the contract, without code.', imports: [CONTRACT, 'client/publish'] },
  'client/publish': {
    why: 'What is published is made of the client and the contract.',
    imports: [CONTRACT],
  },

  web: {
    why: 'Pages are made from the contract.',
    imports: [`${PLATFORM}/html.ts`, 'client/publish', 'web/console/data.ts', 'web/reference'],
  },
  'web/reference': {
    why: 'Pages are made from the contract.',
    imports: [CONTRACT, `${PLATFORM}/html.ts`, 'web', 'package.json'],
  },
  'web/console': {
    why: 'The console runs in browsers: it calls the API with the client.',
    imports: [CONTRACT, SITES, 'client', 'client/types.ts'],
  },

  lib: {
    why: 'Infrastructure imports names and constants of what runs, and the pages that it deploys.',
    imports: [
      CONTRACT,
      `${PLATFORM}/env.ts`,
      `${ACCESS}/viewer-address.ts`,
      `${SITES}/edge.ts`,
      'lambda/builds/styles/shipped.ts',
      'lambda/generation/providers/traits.ts',
      'lambda/canary/settings.ts',
      'lambda/generation/generation.ts',
      'lambda/stored/looks/looker.ts',
      'web/pages.ts',
      'web/security-text.ts',
      'web/console/data.ts',
    ],
  },
  bin: {
    why: 'Programs that npm and the CDK run.',
    imports: [
      'client/publish',
      CONTRACT,
      'lib',
      'local',
      'terminal',
      'web/reference',
      'test/support/buckets.ts',
      'test/support/free-port.ts',
    ],
  },

  terminal: { why: 'What command lines share knows none of them.', imports: [] },
  cli: {
    why: 'The commands of operators work on what is stored, here or on AWS.',
    imports: [
      CONTRACT,
      ACCESS,
      `${PLATFORM}/log.ts`,
      `${SITES}/archive.ts`,
      STORED,
      `${HTTP}/input.ts`,
      'lambda/deployments',
      'lambda/reports',
      'lambda/usage',
      'lambda/webhooks',
      'terminal',
      'bin/account-capacity.ts',
    ],
  },
  'cli/folder': { why: 'ptp is a program of users.', imports: [CONTRACT, SITES, 'terminal'] },
  'cli/ptp': {
    why: 'ptp is a program of users: it calls the API with the client.',
    imports: [CONTRACT, SITES, 'lambda/mcp', 'client', 'terminal', 'cli/folder', 'cli/usage-table.ts', 'package.json'],
  },

  local: {
    why: 'The local service runs what the CDK app describes.',
    imports: [CONTRACT, 'terminal', 'local/cloud'],
  },
  'local/start.ts': {
    why: 'Only npm start looks for models.',
    imports: ['lib/config.ts', 'lib/budgets.ts', 'terminal', 'local', 'local/providers.ts'],
  },
  'local/providers.ts': { why: 'What finds models knows no service.', imports: [CONTRACT] },
  'local/cloud': { why: 'The emulator runs any template, and knows nothing of this project.', imports: [] },

  evaluate: {
    why: 'The evaluation uses the service as its users do, and looks at pages as the service does.',
    imports: [
      'client',
      CONTRACT,
      `${PLATFORM}/html.ts`,
      'lambda/look',
      'lib/config.ts',
      'local',
      'local/providers.ts',
      'terminal',
    ],
  },
  bench: {
    why: 'Benches measure what runs.',
    imports: ['lambda', 'lib/platform/bundle.ts', 'local', 'local/cloud', 'test/support'],
  },
};

/** The rooms that may import a package, or packages that begin like this; other packages are free. */
export const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  'aws-cdk-lib': ['bin', 'lib'],
  constructs: ['lib'],
  '@aws-sdk/': [
    'bin',
    PLATFORM,
    ACCESS,
    STORED,
    'lambda/deployments',
    'lambda/data',
    'lambda/reports',
    'lambda/visits',
    'lambda/assets',
    'lambda/webhooks',
    'lambda/builds',
    'lambda/generation',
    'lambda/generation/api',
    'lambda/generation/attempt',
    'lambda/generation/images',
    'cli',
    'local/cloud',
    'bench',
  ],
};
