import * as z from 'zod';
import { type HttpRequest, type HttpResponse, header } from './http.ts';
import type { Stack } from './template/stack.ts';
import { noLocalEffect } from './template/template.ts';

/** Returns the web ACLs of the template by ARN. */
export function readWebAcls(stack: Stack): ReadonlyMap<string, WebAcl> {
  const acls = stack.all('AWS::WAFv2::WebACL', WebAclProperties);
  return new Map(acls.map(({ attribute, properties }) => [attribute('Arn'), new WebAcl(properties)]));
}

/** A web ACL: rules in the order of their priorities, the first of which that allows or blocks a request decides. */
export class WebAcl {
  private readonly bodies: WebAclProperties['CustomResponseBodies'];
  private readonly rules: readonly { readonly rule: Rule; isMet(request: HttpRequest): boolean }[];

  constructor({ Rules, CustomResponseBodies }: WebAclProperties) {
    this.bodies = CustomResponseBodies;
    this.rules = Rules.toSorted((a, b) => a.Priority - b.Priority).map((rule) => ({
      rule,
      isMet: conditionOf(rule),
    }));
  }

  /** Returns the response to a request that a rule blocks, and undefined for others. */
  block(request: HttpRequest): HttpResponse | undefined {
    for (const { rule, isMet } of this.rules) {
      const { Action: action } = rule;
      if (action === undefined || 'Count' in action || !isMet(request)) continue;
      return 'Block' in action ? this.response(action.Block.CustomResponse) : undefined;
    }
    return undefined;
  }

  private response(
    custom: NonNullable<Extract<Rule['Action'], { Block: unknown }>>['Block']['CustomResponse'],
  ): HttpResponse {
    const body = this.bodies[custom?.CustomResponseBodyKey ?? ''];
    const headers = (custom?.ResponseHeaders ?? []).map(({ Name, Value }) => [Name, Value] as const);
    return {
      status: custom?.ResponseCode ?? 403,
      headers: [...headers, ['Content-Type', body ? 'application/json' : 'text/html']],
      body: Buffer.from(body?.Content ?? 'Request blocked.'),
      servedBy: 'AWS WAF',
    };
  }
}

function conditionOf({ Statement: statement }: Rule): (request: HttpRequest) => boolean {
  if ('ManagedRuleGroupStatement' in statement) return () => false;
  if (!('RateBasedStatement' in statement)) return (request) => matches(statement, request);
  const rate = new Rate(statement.RateBasedStatement);
  return (request) => rate.exceeds(request);
}

/** A part of the window whose requests are counted together. */
const SLICE_MS = 10_000;

interface Slice {
  readonly beginsAt: number;
  count: number;
}

/**
 * Counts the requests of each address in the last seconds. AWS WAF checks its counts every few seconds, so that more
 * requests pass before it blocks; this one blocks the first request above the limit.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based.html
 */
class Rate {
  private readonly statement: RateBased;
  private readonly slices = new Map<string, Slice[]>();

  constructor(statement: RateBased) {
    this.statement = statement;
  }

  /** Counts a request if the rule is about it, and returns whether its address is above the limit. */
  exceeds(request: HttpRequest, now = Date.now()): boolean {
    const { ScopeDownStatement, EvaluationWindowSec, Limit } = this.statement;
    if (ScopeDownStatement && !matches(ScopeDownStatement, request)) return false;
    const begin = now - EvaluationWindowSec * 1000;
    const slices = (this.slices.get(request.peerIp) ?? []).filter(({ beginsAt }) => beginsAt > begin);
    const last = slices.at(-1);
    if (last && now - last.beginsAt < SLICE_MS) last.count += 1;
    else slices.push({ beginsAt: now, count: 1 });
    this.slices.set(request.peerIp, slices);
    return slices.reduce((sum, { count }) => sum + count, 0) > Limit;
  }
}

function matches(condition: Condition, request: HttpRequest): boolean {
  const { ByteMatchStatement: bytes, NotStatement: not, OrStatement: or } = condition;
  if (not) return !matches(not.Statement, request);
  if (or) return or.Statements.some((one) => matches(one, request));
  if (!bytes) return false;
  const { FieldToMatch: field, SearchString: wanted, PositionalConstraint } = bytes;
  const found = 'UriPath' in field ? request.path : header(request.headers, field.SingleHeader.Name);
  if (found === undefined) return false;
  return PositionalConstraint === 'EXACTLY' ? found === wanted : found.startsWith(wanted);
}

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

/** A condition that a request meets independently of other requests. */
interface Condition {
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

const WebAclProperties = z.strictObject({
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

type WebAclProperties = z.output<typeof WebAclProperties>;
type RateBased = z.output<typeof RateBased>;
type Rule = z.output<typeof Rule>;
