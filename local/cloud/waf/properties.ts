import * as z from 'zod';
import { noLocalEffect } from '../template/schema.ts';

/** The properties of web ACLs that the local cloud supports; any other is an error that names it. */

const ByteMatch = z.strictObject({
  FieldToMatch: z.union([
    z.strictObject({ UriPath: z.strictObject({}) }),
    z.strictObject({ SingleHeader: z.strictObject({ Name: z.string() }) }),
  ]),
  PositionalConstraint: z.enum(['EXACTLY', 'STARTS_WITH']),
  SearchString: z.string(),
  TextTransformations: z.tuple([z.strictObject({ Priority: z.number(), Type: z.literal('NONE') })]),
});

/** What a request matches by itself. */
export interface Condition {
  readonly ByteMatchStatement?: z.output<typeof ByteMatch> | undefined;
  readonly NotStatement?: { readonly Statement: Condition } | undefined;
  readonly OrStatement?: { readonly Statements: readonly Condition[] } | undefined;
}

const Condition: z.ZodType<Condition> = z.lazy(() =>
  z.strictObject({
    ByteMatchStatement: ByteMatch.optional(),
    NotStatement: z.strictObject({ Statement: Condition }).optional(),
    OrStatement: z.strictObject({ Statements: z.array(Condition) }).optional(),
  }),
);

const RateBased = z.strictObject({
  Limit: z.number().min(10),
  EvaluationWindowSec: z.union([z.literal(60), z.literal(120), z.literal(300), z.literal(600)]).default(300),
  AggregateKeyType: z.literal('IP'),
  ScopeDownStatement: Condition.optional(),
});

const Headers = z.array(z.strictObject({ Name: z.string(), Value: z.string() })).default([]);

const Block = z.strictObject({
  CustomResponse: z
    .strictObject({
      ResponseCode: z.number(),
      CustomResponseBodyKey: z.string().optional(),
      ResponseHeaders: Headers,
    })
    .optional(),
});

const Action = z.union([
  z.strictObject({ Allow: z.strictObject({}) }),
  z.strictObject({ Block }),
  z.strictObject({ Count: z.strictObject({}) }),
]);

const Rule = z.strictObject({
  Name: z.string(),
  Priority: z.number(),
  Action: Action.optional(),
  // Of rule groups.
  OverrideAction: noLocalEffect,
  Statement: z.union([
    z.strictObject({ RateBasedStatement: RateBased }),
    // Needs AWS's lists, so nothing matches.
    z.strictObject({ ManagedRuleGroupStatement: z.unknown() }),
    Condition,
  ]),
  VisibilityConfig: noLocalEffect,
});

export const WebAclProperties = z.strictObject({
  Scope: z.literal('CLOUDFRONT'),
  DefaultAction: z.strictObject({ Allow: z.strictObject({}) }),
  CustomResponseBodies: z
    .record(z.string(), z.strictObject({ ContentType: z.literal('APPLICATION_JSON'), Content: z.string() }))
    .default({}),
  Rules: z.array(Rule),
  Name: noLocalEffect,
  Description: noLocalEffect,
  VisibilityConfig: noLocalEffect,
  Tags: noLocalEffect,
});

export type WebAclProperties = z.output<typeof WebAclProperties>;
export type RateBased = z.output<typeof RateBased>;
export type Rule = z.output<typeof Rule>;
