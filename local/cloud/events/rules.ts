import * as z from 'zod';
import type { Stack } from '../template/stack.ts';
import { noLocalEffect } from '../template/template.ts';

/** Matches one value: itself. */
const Matcher = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/**
 * A pattern of events: for each field, the values of which the event must have one. The other comparison operators of
 * EventBridge are rejected.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-event-patterns.html
 */
export type EventPattern = { readonly [field: string]: readonly z.output<typeof Matcher>[] | EventPattern };

export const EventPattern: z.ZodType<EventPattern> = z.lazy(() =>
  z.record(z.string(), z.union([z.array(Matcher).min(1), EventPattern])),
);

/** An event as rules and targets see it. */
export interface AwsEvent {
  readonly version: '0';
  readonly id: string;
  readonly source: string;
  readonly account: string;
  /** ISO 8601, in seconds. */
  readonly time: string;
  readonly region: string;
  /** ARNs. */
  readonly resources: readonly string[];
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The part of an event that a service of AWS sends. */
export type ServiceEvent = Pick<AwsEvent, 'source' | 'detail-type' | 'resources' | 'detail'>;

/** Sends an event to the default bus. Returns once the event survives a crash. */
export type Publish = (event: ServiceEvent) => void;

const RuleProperties = z.strictObject({
  Name: z.string().optional(),
  Description: noLocalEffect,
  EventPattern: EventPattern.optional(),
  ScheduleExpression: z.string().optional(),
  State: z.literal('ENABLED').default('ENABLED'),
  Targets: z
    .array(
      z.strictObject({
        Id: z.string(),
        Arn: z.string(),
        // The local event bus always reaches Lambda, and retries of failed functions belong to the asynchronous
        // invocation.
        RetryPolicy: noLocalEffect,
      }),
    )
    .default([]),
});

/** A rule of the default event bus. */
export interface Rule {
  /** For log lines. */
  readonly name: string;
  readonly arn: string;
  /** Undefined for a schedule. */
  readonly pattern: EventPattern | undefined;
  /** The period of a schedule. */
  readonly everySeconds: number | undefined;
  /** The functions that get the events. */
  readonly functionArns: readonly string[];
}

/** Returns the rules of the template. Only functions are supported as targets; they get the whole event. */
export function readRules(stack: Stack): Rule[] {
  return stack.all('AWS::Events::Rule', RuleProperties).map(({ logicalId, attribute, properties }) => {
    const functionArns = properties.Targets.map(({ Arn }) => Arn);
    const other = functionArns.find((arn) => !/^arn:aws:lambda:[^:]*:\d*:function:/.test(arn));
    if (other !== undefined) throw new Error(`The local cloud does not support ${other} as a target of ${logicalId}`);
    const { EventPattern: pattern, ScheduleExpression } = properties;
    if ((pattern === undefined) === (ScheduleExpression === undefined))
      throw new Error(`${logicalId} needs either an EventPattern or a ScheduleExpression`);
    const everySeconds = ScheduleExpression === undefined ? undefined : seconds(ScheduleExpression);
    return { name: logicalId, arn: attribute('Arn'), pattern, everySeconds, functionArns };
  });
}

const UNITS: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/**
 * Returns the seconds of a rate expression. Cron expressions are not supported.
 * https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html
 */
function seconds(expression: string): number {
  const [, value = '', unit = '', plural = ''] = /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  const length = UNITS[unit];
  // AWS rejects "1 hours" and "2 hour".
  if (length === undefined || Number(value) < 1 || (value === '1') === (plural === 's'))
    throw new Error(`The local cloud does not support the schedule ${expression}`);
  return Number(value) * length;
}

/** Reports whether an event, or a part of one, has every field of a pattern. */
export function matchesPattern(pattern: EventPattern, event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false;
  const fields = event as Readonly<Record<string, unknown>>;
  return Object.entries(pattern).every(([name, wanted]) => {
    const value = fields[name];
    if (!isMatchers(wanted)) return matchesPattern(wanted, value);
    // A field with several values matches if one of them does.
    const values = Array.isArray(value) ? value : [value];
    return wanted.some((matcher) => values.includes(matcher));
  });
}

function isMatchers(wanted: EventPattern[string]): wanted is readonly z.output<typeof Matcher>[] {
  return Array.isArray(wanted);
}

const EventInvokeConfigProperties = z.strictObject({
  FunctionName: z.string(),
  Qualifier: z.literal('$LATEST'),
  MaximumRetryAttempts: z.int().min(0).max(2).optional(),
  MaximumEventAgeInSeconds: z.int().min(60).max(21_600).optional(),
});

/** The settings of asynchronous invocations of a function. Undefined properties have Lambda's defaults. */
export interface InvokeConfig {
  readonly retries?: number | undefined;
  /** The age at which an event is discarded. */
  readonly ageSeconds?: number | undefined;
}

/**
 * Returns the configurations of the template by the names of functions.
 * https://docs.aws.amazon.com/lambda/latest/api/API_FunctionEventInvokeConfig.html
 */
export function readInvokeConfigs(stack: Stack): Map<string, InvokeConfig> {
  const configs = stack.all('AWS::Lambda::EventInvokeConfig', EventInvokeConfigProperties);
  return new Map(
    configs.map(({ properties }) => [
      properties.FunctionName,
      { retries: properties.MaximumRetryAttempts, ageSeconds: properties.MaximumEventAgeInSeconds },
    ]),
  );
}
