import type { HttpRequest, HttpResponse } from '../http.ts';
import type { Stack } from '../template/stack.ts';
import { matches } from './condition.ts';
import { type Rule, WebAclProperties } from './properties.ts';
import { Rate } from './rate.ts';

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
