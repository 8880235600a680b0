import { appendFileSync } from 'node:fs';
import * as z from 'zod';
import type { PolicyStatement, Principal } from './account.ts';

/** The value of a condition key, or the values of a multivalued one. */
type ContextValue = string | readonly string[];

/** An action of a principal on a resource, to be authorized. */
export interface AccessRequest {
  readonly principal: Principal;
  /** `s3:PutObject` */
  readonly action: string;
  /** The ARN; `*` for an action without a resource. */
  readonly resource: string;
  /** Condition keys of this request, such as `{ 'aws:SourceArn': '…' }`, in addition to the global ones. */
  readonly context?: Readonly<Record<string, ContextValue>>;
}

type Decision =
  | { readonly allowed: true; readonly statements: readonly PolicyStatement[] }
  | { readonly allowed: false; readonly reason: 'implicit' | 'explicit' };

/** A denied request, with the message of AWS. */
export class AccessDenied extends Error {
  override readonly name = 'AccessDenied';
}

/**
 * Decides like IAM within one account (IAM User Guide, "Policy evaluation logic"): an explicit deny wins,
 * and either the principal's policies or the resource's policy can allow.
 * @throws Error that names a policy element which the local cloud does not support
 */
export function decide(request: AccessRequest, resourcePolicy: readonly PolicyStatement[] = []): Decision {
  const context = new Map(Object.entries({ ...globalContext(request.principal), ...request.context }).map(lowerKey));
  const applies = (statement: PolicyStatement) =>
    statement.Action.some((pattern) => actionMatches(pattern, request.action)) &&
    statement.Resource.some((pattern) => arnMatches(pattern, request.resource)) &&
    Object.entries(statement.Condition ?? {}).every(([operator, keys]) => holds(operator, keys, context));

  const applicable = [
    ...request.principal.statements,
    ...resourcePolicy.filter((statement) => concerns(statement, request.principal)),
  ].filter(applies);
  if (applicable.some(({ Effect }) => Effect === 'Deny')) return { allowed: false, reason: 'explicit' };
  return applicable.length > 0 ? { allowed: true, statements: applicable } : { allowed: false, reason: 'implicit' };
}

/** Logs a denied request, to help fix the template. @throws AccessDenied unless the request is allowed */
export function authorize(request: AccessRequest, resourcePolicy: readonly PolicyStatement[] = []): void {
  const decision = decide(request, resourcePolicy);
  const { principal, action, resource } = request;
  if (decision.allowed) {
    const own = principal.statements.filter((statement) => decision.statements.includes(statement));
    noteUsed(principal, own, {
      action: (pattern) => actionMatches(pattern, action),
      resource: (pattern) => arnMatches(pattern, resource),
    });
    return;
  }
  const who = isService(principal) ? 'the resource policies' : "its role's policies";
  const reason =
    decision.reason === 'explicit' ? 'a statement in the template denies it' : `${who} in the template do not allow it`;
  console.log(`AccessDenied ${principal.name} may not ${action} on ${resource} (${reason})`);
  const because =
    decision.reason === 'explicit'
      ? 'with an explicit deny in a policy'
      : `because no policy allows the ${action} action`;
  throw new AccessDenied(
    `User: ${principal.arn} is not authorized to perform: ${action} on resource: ${resource} ${because}`,
  );
}

/**
 * Reports whether a principal is an AWS service (`cloudfront.amazonaws.com`) rather than an identity of the account.
 */
export function isService(principal: Principal): boolean {
  return !principal.arn.startsWith('arn:');
}

function globalContext(principal: Principal): Record<string, string> {
  // Requests over loopback count as secure.
  const context = { 'aws:SecureTransport': 'true' };
  return isService(principal) ? context : { ...context, 'aws:PrincipalArn': principal.arn };
}

function lowerKey([key, value]: [string, ContextValue]): [string, readonly string[]] {
  return [key.toLowerCase(), typeof value === 'string' ? [value] : value];
}

/**
 * Reports whether a resource policy's statement applies to the principal. Allowing the account (its root) only
 * delegates the decision to identity policies; denying it denies every identity in it.
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
  ArnLike: (actual, wanted) => arnMatches(wanted, actual),
};

/** The prefix of an operator for multivalued keys, each of whose values must match. */
const FOR_ALL = 'ForAllValues:';

/**
 * Evaluates a condition operator: every key must match at least one of its values. `ForAllValues` also matches a
 * missing key.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
 */
function holds(
  operator: string,
  keys: Readonly<Record<string, readonly string[]>>,
  context: ReadonlyMap<string, readonly string[]>,
): boolean {
  return Object.entries(keys).every(([key, wanted]) => {
    const values = context.get(key.toLowerCase()) ?? [];
    if (operator.startsWith(FOR_ALL)) {
      const comparison = comparisonOf(operator.slice(FOR_ALL.length));
      return values.every((actual) => wanted.some((value) => comparison(actual, value)));
    }
    const [actual] = values;
    const comparison = comparisonOf(operator);
    return actual !== undefined && wanted.some((value) => comparison(actual, value));
  });
}

function actionMatches(pattern: string, action: string): boolean {
  return matches(pattern.toLowerCase(), action.toLowerCase());
}

function comparisonOf(operator: string): Comparison {
  const comparison = COMPARISONS[operator];
  if (!comparison) throw new Error(`The local cloud does not support the IAM condition operator ${operator}`);
  return comparison;
}

/** Matches ARNs part by part: wildcards do not match colons, except in the last part. */
function arnMatches(pattern: string, arn: string): boolean {
  if (pattern === '*') return true;
  const parts = arnParts(arn);
  const patterns = arnParts(pattern);
  return parts.length === patterns.length && patterns.every((part, index) => matches(part, parts[index] ?? ''));
}

function arnParts(arn: string): string[] {
  const parts = arn.split(':');
  return [...parts.slice(0, 5), parts.slice(5).join(':')];
}

function matches(pattern: string, text: string): boolean {
  // Taken literally, a policy variable would silently match nothing.
  if (pattern.includes('${')) throw new Error(`The local cloud does not support IAM policy variables: ${pattern}`);
  return new RegExp(`^${wildcardSource(pattern)}$`, 's').test(text);
}

const OneOrMore = z.union([z.string().transform((value) => [value]), z.array(z.string())]);

const Value = z.union([z.string(), z.boolean(), z.number()]).transform(String);
const Values = z.union([Value.transform((value) => [value]), z.array(Value)]);

const PrincipalField = z.union([
  z.literal('*').transform(() => ['*']),
  z
    .strictObject({ AWS: OneOrMore.default([]), Service: OneOrMore.default([]) })
    .transform(({ AWS, Service }) => [...AWS, ...Service]),
]);

const Statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Action: OneOrMore,
  Resource: OneOrMore,
  Principal: PrincipalField.optional(),
  Condition: z.record(z.string(), z.record(z.string(), Values)).optional(),
});

/** Parses a policy document into its statements. Rejects unsupported elements such as `NotAction`. */
export const PolicyDocument = z
  .strictObject({
    Version: z.literal('2012-10-17'),
    Statement: z.union([z.array(Statement), Statement.transform((statement) => [statement])]),
  })
  .transform((document) => document.Statement.map(toStatement));

function toStatement(statement: z.output<typeof Statement>): PolicyStatement {
  const { Effect, Action, Resource, Principal, Condition } = statement;
  return { Effect, Action, Resource, ...(Principal && { Principal }), ...(Condition && { Condition }) };
}

/**
 * The environment variable with the path of a file that collects the grants of roles, and which of them were used. All
 * processes of all local clouds append each grant immediately, so that nothing is lost when one is killed.
 */
export const GRANTS_FILE = 'GRANTS_FILE';

const noted = new Set<string>();

/** Records every grant of a role. Services and the operator have no roles. */
export function noteAllowed({ arn, statements }: Principal): void {
  if (!process.env[GRANTS_FILE] || !arn.includes(':role/')) return;
  for (const { Effect, Action, Resource } of statements)
    if (Effect === 'Allow')
      for (const action of Action) for (const resource of Resource) note('allowed', arn, action, resource);
}

/** Records the parts of statements that allowed a request of a role. */
function noteUsed(
  { arn }: Principal,
  statements: readonly PolicyStatement[],
  applies: { action(pattern: string): boolean; resource(pattern: string): boolean },
): void {
  if (!process.env[GRANTS_FILE] || !arn.includes(':role/')) return;
  for (const { Action, Resource } of statements)
    for (const action of Action.filter(applies.action))
      for (const resource of Resource.filter(applies.resource)) note('used', arn, action, resource);
}

function note(...grant: readonly [kind: 'allowed' | 'used', role: string, action: string, resource: string]) {
  const line = `${grant.join('\t')}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(process.env[GRANTS_FILE] ?? '', line);
}

/** Returns the source of a regular expression for a pattern in which `*` is any text and `?` any character. */
export function wildcardSource(pattern: string): string {
  return pattern
    .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
}
