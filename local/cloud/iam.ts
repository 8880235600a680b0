import type { PolicyStatement, Principal } from './account.ts';

/** A question to IAM: may this principal perform this action on this resource? */
export interface AccessRequest {
  readonly principal: Principal;
  /** `s3:PutObject` */
  readonly action: string;
  /** The ARN; `*` for an action that names no resource. */
  readonly resource: string;
  /** Condition keys of this request, e.g. `{ 'aws:SourceArn': '…' }`; the global ones below are added. */
  readonly context?: Readonly<Record<string, string>>;
}

export type Decision =
  | { readonly allowed: true }
  | { readonly allowed: false; readonly reason: 'implicit' | 'explicit' };

/** A refusal, its message in AWS's words. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDenied';
}

/**
 * IAM's decision within one account, as in "Policy evaluation logic" of the IAM User Guide: an explicit
 * deny wins, and either the principal's own policies or the resource's policy is enough to allow.
 * Throws an Error that names what it cannot evaluate.
 */
export function decide(request: AccessRequest, resourcePolicy: readonly PolicyStatement[] = []): Decision {
  const context = new Map(
    Object.entries({ ...globalContext(request.principal), ...request.context }).map(lowerKey),
  );
  const applies = (statement: PolicyStatement) =>
    statement.Action.some((pattern) => matches(pattern.toLowerCase(), request.action.toLowerCase())) &&
    statement.Resource.some((pattern) => arnMatches(pattern, request.resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) => holds(operator, keys, context));

  const applicable = [
    ...request.principal.statements,
    ...resourcePolicy.filter((statement) => concerns(statement, request.principal)),
  ].filter(applies);
  if (applicable.some(({ Effect }) => Effect === 'Deny')) return { allowed: false, reason: 'explicit' };
  return applicable.length > 0 ? { allowed: true } : { allowed: false, reason: 'implicit' };
}

/** Throws AccessDenied unless the request is allowed, with a line on stdout for whoever wrote the template. */
export function authorize(request: AccessRequest, resourcePolicy: readonly PolicyStatement[] = []): void {
  const decision = decide(request, resourcePolicy);
  if (decision.allowed) return;
  const { principal, action, resource } = request;
  const who = isService(principal) ? 'the resource policies' : "its role's policies";
  const reason =
    decision.reason === 'explicit'
      ? 'a statement in the template denies it'
      : `${who} in the template do not allow it`;
  console.log(`AccessDenied ${principal.name} may not ${action} on ${resource} (${reason})`);
  const because =
    decision.reason === 'explicit'
      ? 'with an explicit deny in a policy'
      : `because no policy allows the ${action} action`;
  throw new AccessDenied(
    `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${because}`,
  );
}

/** An AWS service that acts on its own (`cloudfront.amazonaws.com`) is no identity of the account. */
export function isService(principal: Principal): boolean {
  return !principal.arn.startsWith('arn:');
}

function globalContext(principal: Principal): Record<string, string> {
  // The loopback interface stands in for TLS.
  const context = { 'aws:SecureTransport': 'true' };
  return isService(principal) ? context : { ...context, 'aws:PrincipalArn': principal.arn };
}

function lowerKey([key, value]: [string, string]): [string, string] {
  return [key.toLowerCase(), value];
}

/**
 * Whether a resource policy's statement speaks of the principal. To allow the account (its root) only
 * hands the decision on to the account's identity policies; to deny it denies everybody in it.
 */
function concerns(statement: PolicyStatement, principal: Principal): boolean {
  const named = statement.Principal ?? [];
  if (named.includes('*') || named.includes(principal.arn)) return true;
  if (isService(principal) || statement.Effect === 'Allow') return false;
  const account = principal.arn.split(':')[4] ?? '';
  return named.includes(`arn:aws:iam::${account}:root`) || named.includes(account);
}

type Comparison = (actual: string, wanted: string) => boolean;

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  Bool: (actual, wanted) => actual.toLowerCase() === wanted.toLowerCase(),
  StringEquals: (actual, wanted) => actual === wanted,
  StringLike: (actual, wanted) => matches(wanted, actual),
  ArnEquals: (actual, wanted) => arnMatches(wanted, actual),
  ArnLike: (actual, wanted) => arnMatches(wanted, actual),
  NumericGreaterThan: (actual, wanted) => Number(actual) > Number(wanted),
  NumericGreaterThanEquals: (actual, wanted) => Number(actual) >= Number(wanted),
  NumericLessThan: (actual, wanted) => Number(actual) < Number(wanted),
  NumericLessThanEquals: (actual, wanted) => Number(actual) <= Number(wanted),
};

/** One condition operator with its keys: every key must hold, for any one of its values. */
function holds(
  operator: string,
  keys: Readonly<Record<string, readonly string[]>>,
  context: ReadonlyMap<string, string>,
): boolean {
  return Object.entries(keys).every(([key, wanted]) => {
    const actual = context.get(key.toLowerCase());
    if (operator === 'Null') return wanted.includes(String(actual === undefined));
    if (operator === 'StringNotEquals') return actual === undefined || !wanted.includes(actual);
    const comparison = COMPARISONS[operator];
    if (!comparison)
      throw new Error(`The local cloud does not evaluate the IAM condition operator ${operator}`);
    return actual !== undefined && wanted.some((value) => comparison(actual, value));
  });
}

/** ARNs match part by part, so that a wildcard does not reach over a colon; the last part may hold colons. */
function arnMatches(pattern: string, arn: string): boolean {
  if (pattern === '*') return true;
  const parts = arnParts(arn);
  const patterns = arnParts(pattern);
  return (
    parts.length === patterns.length && patterns.every((part, index) => matches(part, parts[index] ?? ''))
  );
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}

function matches(pattern: string, text: string): boolean {
  // A policy variable taken literally would quietly match nothing.
  if (pattern.includes('${'))
    throw new Error(`The local cloud does not evaluate IAM policy variables: ${pattern}`);
  const source = pattern
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`, 's').test(text);
}
