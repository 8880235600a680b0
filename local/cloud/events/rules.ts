import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';
import type { Stack } from '../template/stack.ts';
import { EventPattern } from './event-pattern.ts';

const RuleProperties = z.strictObject({
  Name: z.string().optional(),
  Description: noLocalEffect,
  EventPattern,
  State: z.literal('ENABLED').default('ENABLED'),
  Targets: z.array(z.strictObject({ Id: z.string(), Arn: z.string() })).default([]),
});

/** A rule of the default event bus. */
export interface Rule {
  /** For log lines. */
  readonly name: string;
  readonly arn: string;
  readonly pattern: EventPattern;
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
    return { name: logicalId, arn: attribute('Arn'), pattern: properties.EventPattern, functionArns };
  });
}
