import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';
import type { Stack } from '../template/stack.ts';
import { EventPattern } from './event-pattern.ts';

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
        // The local event bus always reaches Lambda, and retries of failed functions belong to the asynchronous invocation.
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
  /** How often a schedule fires. */
  readonly everySeconds: number | undefined;
  /** The functions that get the events. */
  readonly functionArns: readonly string[];
}

/** Returns the rules of the template. Only functions are supported as targets; they get the whole event. */
export function readRules(stack: Stack): Rule[] {
  return stack.all('AWS::Events::Rule', RuleProperties).map(({ logicalId, attribute, properties }) => {
    const functionArns = properties.Targets.map(({ Arn }) => Arn);
    const other = functionArns.find((arn) => !/^arn:aws:lambda:[^:]*:\d*:function:/.test(arn));
    if (other !== undefined)
      throw new Error(`The local cloud does not support ${other} as a target of ${logicalId}`);
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
  const [, value = '', unit = '', plural = ''] =
    /^rate\((\d+) (minute|hour|day)(s?)\)$/.exec(expression) ?? [];
  const length = UNITS[unit];
  // AWS rejects "1 hours" and "2 hour".
  if (length === undefined || Number(value) < 1 || (value === '1') === (plural === 's'))
    throw new Error(`The local cloud does not support the schedule ${expression}`);
  return Number(value) * length;
}
