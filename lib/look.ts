import { Architecture, TenancyConfig } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { SlotShares } from '../lambda/contract/slot-shares.ts';
import { ENV } from '../lambda/platform/env.ts';
import type { Access } from './access.ts';
import type { StageConfig } from './config.ts';
import type { Concurrency } from './config-sections.ts';
import { BundledFunction } from './platform/bundled-function.ts';
import type { Platform } from './platform/native-packages.ts';
import { PrivateBucket } from './platform/storage.ts';

const DISABLED = 'This stage does not look at projects (look.enabled is false)';

/** The parts of Playwright that start and drive a browser, without those that record, show and install. */
const PLAYWRIGHT = [
  'package.json',
  'browsers.json',
  'index.js',
  'index.mjs',
  'lib/bootstrap.js',
  'lib/coreBundle.js',
  'lib/utilsBundle.js',
].map((path) => `playwright-core/${path}`);

/** The manifest of the browser. It is 70 MB, and the local cloud uses the browser of the machine. */
const CHROMIUM = 'lib/look/chromium';

/** Has a browser look at sites: the function that does, and the bucket through which it gets them. */
export class Looks extends Construct {
  /** Why nothing is looked at, as a sentence; undefined if the stage looks. */
  readonly skipped: string | undefined;
  readonly #look: BundledFunction | undefined;
  readonly #objects: PrivateBucket | undefined;
  readonly #version: string = '';
  readonly #access: Access;
  readonly #shares: StageConfig['concurrency'];

  constructor(
    scope: Construct,
    id: string,
    access: Access,
    { look, siteDomain, concurrency: shares }: Pick<StageConfig, 'look' | 'siteDomain' | 'concurrency'>,
    concurrency: Concurrency,
    platform: Platform,
  ) {
    super(scope, id);
    this.#access = access;
    this.#shares = shares;
    this.skipped = look.enabled ? undefined : DISABLED;
    if (!look.enabled) return;
    // All of it can be made again.
    this.#objects = new PrivateBucket(this, 'Objects', {
      lifecycleRules: [
        { prefix: 'in/', expiration: Duration.days(1) },
        { prefix: 'out/', expiration: Duration.days(1) },
      ],
    });
    this.#look = new BundledFunction(this, 'Look', {
      entry: 'look/look.handler',
      description: 'Looks at sites with Chromium',
      timeout: Duration.seconds(60),
      memorySize: 2048,
      concurrency: concurrency.looks,
      // It runs what callers send in a browser: no instance serves two keys, or a key and others.
      tenancyConfig: TenancyConfig.PER_TENANT,
      // The package has no other binary (decision 0057).
      architecture: Architecture.X86_64,
      unbundled: ['playwright-core'],
      packageFiles: PLAYWRIGHT,
      ...(platform === 'lambda' && { locked: CHROMIUM }),
    });
    if (siteDomain !== undefined) this.#look.addEnvironment(ENV.siteOrigin, `https://*.${siteDomain}`);
    this.#version = this.#look.codeHash(siteDomain ?? '');
  }

  /** Lets a function look: see `LOOKER_ENV`. @param kind of its looks */
  grantLook(fn: BundledFunction, kind: 'looks' | 'deploymentLooks' = 'looks'): void {
    if (!this.#look || !this.#objects) {
      fn.addEnvironment(ENV.lookSkipped, DISABLED);
      return;
    }
    fn.addEnvironment(ENV.lookFunction, this.#look.functionArn);
    fn.addEnvironment(ENV.lookVersion, this.#version);
    fn.addEnvironment(ENV.looksBucket, this.#objects.bucketName);
    this.#look.grantInvoke(fn);
    fn.addEnvironment(ENV.lookSlots, JSON.stringify(slotsOf(kind, this.#shares[kind])));
    this.#access.grantSlots(fn);
    for (const keys of ['in/*', 'out/*']) this.#objects.grantObjects(fn, keys, 's3:GetObject', 's3:PutObject');
  }
}

/** Returns the slots of looks: the others are for keys, which also leave some to each other. @param running at the same time */
function slotsOf(kind: string, running: number): SlotShares {
  const half = Math.ceil(running / 2);
  return { kind, key: half, anonymous: Math.min(2, half), anonymousTogether: half };
}
