import { randomUUID } from 'node:crypto';
import { functionMetric, type Metrics } from '../cloudwatch/metrics.ts';
import { AccessDenied } from '../iam.ts';
import { JsonFolder } from '../json-folder.ts';
import { TooManyRequests } from '../lambda/environment.ts';
import type { Caller, Lambda } from '../lambda/lambda.ts';
import type { Credentials, Principals } from '../roles.ts';
import type { Stack } from '../template/stack.ts';
import {
  type AwsEvent,
  type InvokeConfig,
  matchesPattern,
  type Rule,
  readInvokeConfigs,
  readRules,
  type ServiceEvent,
} from './rules.ts';

/** The name under which EventBridge invokes functions. */
const SERVICE = 'events.amazonaws.com';

interface EventBusSettings {
  /** Absolute path of the folder of undelivered events. */
  readonly folder: string;
  readonly log: (line: string) => void;
  readonly metrics?: Metrics | undefined;
  /** The number of deliveries of each event; 1 by default. EventBridge may deliver one twice. */
  readonly deliveries?: number | undefined;
  /**
   * Seconds from the end of each scheduled run to the next one; by default, schedules have the periods of the template. Runs that
   * end within those do not overlap because a test shortens them.
   */
  readonly scheduleSeconds?: number | undefined;
  /** The pauses before the retries of a function that failed, in milliseconds. */
  readonly retryMs?: readonly number[] | undefined;
  /** The pauses while the function is throttled, in milliseconds. */
  readonly throttled?: typeof THROTTLED | undefined;
}

/**
 * Lambda invokes a function again after one minute and after two more if it fails.
 * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
 */
const RETRY_MS = [60_000, 120_000];

const THROTTLED = { firstMs: 1_000, longestMs: 300_000, totalMs: 6 * 3_600_000 };

/**
 * The default event bus of EventBridge: invokes the functions whose rules match an event, at least once. An event that
 * was not delivered when the local cloud ended is delivered by the next start.
 */
export class EventBus {
  private readonly rules: readonly Rule[];
  private readonly configs: ReadonlyMap<string, InvokeConfig>;
  private readonly lambda: Lambda;
  private readonly credentials: Credentials;
  private readonly origin: Pick<AwsEvent, 'account' | 'region'>;
  private readonly settings: EventBusSettings;
  /** The events that are not delivered yet. */
  private readonly store: JsonFolder<AwsEvent>;
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(stack: Stack, lambda: Lambda, principals: Principals, settings: EventBusSettings) {
    this.rules = readRules(stack);
    this.configs = readInvokeConfigs(stack);
    this.lambda = lambda;
    this.credentials = principals.get(SERVICE);
    this.origin = { account: stack.target.accountId, region: stack.target.region };
    this.settings = settings;
    this.store = new JsonFolder(settings.folder);
  }

  /** https://docs.aws.amazon.com/eventbridge/latest/ref/overiew-event-structure.html */
  publish(sent: ServiceEvent): void {
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    const event: AwsEvent = { version: '0', id: randomUUID(), ...this.origin, time, ...sent };
    if (this.targets(event).length === 0) return;
    this.store.save(event.id, event);
    this.deliver(event);
  }

  /** Delivers the events that the local cloud had not delivered when it ended. */
  resume(): void {
    for (const event of this.store.all()) this.deliver(event);
  }

  /** Stops deliveries. The next start repeats them. */
  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
  }

  /** Starts the schedules: each fires for the first time when its period has passed. */
  schedule(): void {
    for (const rule of this.rules) {
      if (rule.everySeconds === undefined) continue;
      if (this.settings.scheduleSeconds === undefined) {
        const timer = setInterval(() => void this.fire(rule), rule.everySeconds * 1_000);
        this.timers.add(timer.unref());
      } else void this.repeat(rule, this.settings.scheduleSeconds * 1_000);
    }
  }

  private async repeat(rule: Rule, pauseMs: number): Promise<void> {
    while (!this.closed) {
      await this.pause(pauseMs);
      await this.fire(rule);
    }
  }

  /** https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-run-lambda-schedule.html */
  private async fire(rule: Rule): Promise<void> {
    const time = `${new Date().toISOString().slice(0, 19)}Z`;
    const event: AwsEvent = {
      version: '0',
      id: randomUUID(),
      ...this.origin,
      time,
      source: 'aws.events',
      'detail-type': 'Scheduled Event',
      resources: [rule.arn],
      detail: {},
    };
    const dimensions = { RuleName: rule.arn.split('/').at(-1) ?? '' };
    this.settings.metrics?.put({ namespace: 'AWS/Events', name: 'TriggeredRules', dimensions }, 1);
    await Promise.all(rule.functionArns.map((functionArn) => this.invoke(functionArn, rule, event)));
  }

  private targets(event: AwsEvent): { readonly rule: Rule; readonly functionArn: string }[] {
    return this.rules
      .filter(({ pattern }) => pattern !== undefined && matchesPattern(pattern, event))
      .flatMap((rule) => rule.functionArns.map((functionArn) => ({ rule, functionArn })));
  }

  private deliver(event: AwsEvent): void {
    const deliveries = Array.from({ length: this.settings.deliveries ?? 1 }, () => this.targets(event));
    const invocations = deliveries.flat().map(({ rule, functionArn }) => this.invoke(functionArn, rule, event));
    void Promise.all(invocations).then(() => {
      if (!this.closed) this.store.delete(event.id);
    });
  }

  /** Invokes a function asynchronously, as EventBridge does: with retries, and without a result. */
  private async invoke(functionArn: string, rule: Rule, event: AwsEvent): Promise<void> {
    const caller: Caller = {
      credentials: this.credentials,
      actions: {
        'lambda:InvokeFunction': {
          'aws:SourceArn': rule.arn,
          'aws:SourceAccount': this.origin.account,
        },
      },
    };
    const { retries, ageSeconds } = this.configs.get(functionArn.split(':').at(-1) ?? '') ?? {};
    const pauses = (this.settings.retryMs ?? RETRY_MS).slice(0, retries);
    for (const pause of [...pauses, undefined]) {
      try {
        await this.whileThrottled(() => this.lambda.invoke(functionArn, event, caller), ageSeconds);
        return;
      } catch (error) {
        if (this.closed) return;
        this.settings.log(`${rule.name} did not deliver ${event['detail-type']}: ${(error as Error).message}`);
        // Lambda never had the event.
        if (error instanceof AccessDenied) return;
        const isTooOld = error instanceof TooManyRequests;
        if (pause === undefined || isTooOld) {
          this.settings.metrics?.put(functionMetric('AsyncEventsDropped', functionArn), 1);
          return;
        }
        await this.pause(pause);
      }
    }
  }

  /**
   * Retries an invocation that Lambda throttles, after 1 s and then with increasing pauses, for at most 6 hours or the
   * maximum event age of the function. These do not count as retries of a failed function.
   * https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
   */
  private async whileThrottled(invoke: () => Promise<unknown>, ageSeconds = Number.POSITIVE_INFINITY): Promise<void> {
    const { firstMs, longestMs, totalMs } = this.settings.throttled ?? THROTTLED;
    const end = Date.now() + Math.min(totalMs, ageSeconds * 1_000);
    for (let pause = firstMs; ; pause = Math.min(2 * pause, longestMs)) {
      try {
        await invoke();
        return;
      } catch (error) {
        const isOver = this.closed || Date.now() + pause > end;
        if (isOver || !(error instanceof TooManyRequests)) throw error;
        await this.pause(pause);
      }
    }
  }

  private pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.timers.delete(timer);
        resolve();
      }, ms);
      this.timers.add(timer);
    });
  }
}
