import { TenancyConfig } from 'aws-cdk-lib/aws-lambda';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { SHIPPED_FILES } from '../lambda/builds/styles/shipped.ts';
import type { SlotShares } from '../lambda/contract/slot-shares.ts';
import { ENV } from '../lambda/platform/env.ts';
import type { Access } from './access.ts';
import type { StageConfig } from './config.ts';
import type { Concurrency } from './config-sections.ts';
import { BundledFunction } from './platform/bundled-function.ts';
import type { Platform } from './platform/native-packages.ts';
import { PrivateBucket } from './platform/storage.ts';

/** They load native code, which cannot be bundled. */
const NATIVE = ['rolldown', 'lightningcss'];

/** Bytes of the stack of a native thread: an overflow by deeply nested code would end the process. Only used pages take memory. */
const NATIVE_STACK = String(256 * 1_048_576);

/** Turns source into sites: the function that does, and the bucket through which it gets source and returns sites. */
export class Builds extends Construct {
  readonly #build: BundledFunction;
  readonly #objects: PrivateBucket;
  readonly #version: string;
  readonly #access: Access;
  readonly #slots: SlotShares;

  constructor(
    scope: Construct,
    id: string,
    access: Access,
    { builds, concurrency: shares }: Pick<StageConfig, 'builds' | 'concurrency'>,
    concurrency: Concurrency,
    platform: Platform,
  ) {
    super(scope, id);
    this.#access = access;
    this.#slots = { kind: 'builds', key: 2, anonymous: 2, anonymousTogether: Math.ceil(shares.builds / 2) };
    // All of it can be made again. A build is looked up by what it is made of, for its check, its preview and its deploy.
    this.#objects = new PrivateBucket(this, 'Objects', {
      lifecycleRules: [
        { prefix: 'in/', expiration: Duration.days(1) },
        { prefix: 'out/', expiration: Duration.days(1) },
        { prefix: 'vendor/', expiration: Duration.days(30) },
        { prefix: 'packages/', expiration: Duration.days(90) },
      ],
    });
    this.#build = new BundledFunction(this, 'Build', {
      entry: 'builds/build.handler',
      description: 'Builds source',
      timeout: Duration.seconds(25),
      memorySize: 2048,
      concurrency: concurrency.builds,
      // It parses what callers send with native code: no instance serves two keys, or a key and others.
      tenancyConfig: TenancyConfig.PER_TENANT,
      native: { names: NATIVE, platform },
      folders: ['lambda/builds/packages/listed'],
      packageFiles: SHIPPED_FILES,
    });
    // Rolldown's threads read it when they start: before the code of the function, whose imports come first.
    this.#build.addEnvironment('RUST_MIN_STACK', NATIVE_STACK);
    this.#build.addEnvironment(ENV.builds, JSON.stringify(builds));
    this.#build.addEnvironment(ENV.buildsBucket, this.#objects.bucketName);
    // All else that it reads and writes comes with its event, as presigned URLs.
    this.#objects.grantObjects(this.#build, 'packages/*', 's3:GetObject', 's3:PutObject');
    this.#version = this.#build.codeHash(builds);
  }

  /** Lets a function build: see `BUILDER_ENV`. */
  grantBuild(fn: BundledFunction): void {
    fn.addEnvironment(ENV.buildFunction, this.#build.functionArn);
    fn.addEnvironment(ENV.buildVersion, this.#version);
    fn.addEnvironment(ENV.buildsBucket, this.#objects.bucketName);
    this.#build.grantInvoke(fn);
    fn.addEnvironment(ENV.buildSlots, JSON.stringify(this.#slots));
    this.#access.grantSlots(fn);
    // Presigned URLs have the permissions of their signer: it signs reads of the input and writes of the result.
    for (const keys of ['in/*', 'out/*', 'vendor/*'])
      this.#objects.grantObjects(fn, keys, 's3:GetObject', 's3:PutObject');
  }
}
