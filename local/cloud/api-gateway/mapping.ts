import { type HeaderList, header } from '../http.ts';
import type { RequestContext } from './request-context.ts';

/** The value of a variable that expressions and templates use, by name: `context.requestId`; undefined for no variable. */
export type Variables = (name: string) => string | undefined;

/** The variables of a request, and those of `more`. */
export function variablesOf(
  { requestId, authorizer = {} }: Pick<RequestContext, 'requestId' | 'authorizer'>,
  more: Readonly<Record<string, string>> = {},
): Variables {
  const given = Object.entries(authorizer).map(
    ([key, value]) => [`context.authorizer.${key}`, value] as const,
  );
  const values = new Map([['context.requestId', requestId], ...given, ...Object.entries(more)]);
  return (name) => values.get(name);
}

/**
 * Stands for the variables of a request that is yet to come: what an expression or a template names must be among them.
 * @param authorized whether there will be an authorizer, whose context may have any key
 */
export function variablesToCome(authorized: boolean, more: readonly string[] = []): Variables {
  const names = new Set(['context.requestId', ...more]);
  return (name) =>
    names.has(name) || (authorized && name.startsWith('context.authorizer.')) ? '' : undefined;
}

/** The value of a mapping expression, `'a literal'` or a variable's name; undefined for any other. */
export function evaluate(expression: string, variables: Variables): string | undefined {
  return /^'(.*)'$/.exec(expression)?.[1] ?? variables(expression);
}

/** A template with its variables put in: of a gateway response that is all. @throws Error that names what is not known */
export function fillIn(template: string, variables: Variables): string {
  return template.replace(/\$([a-zA-Z.]+)|\$/g, (all, name: string | undefined) => {
    const value = name === undefined ? undefined : variables(name);
    if (value === undefined) throw new Error(`${all} in a mapping template is not known: ${template}`);
    return value;
  });
}

const OVERRIDE = /^\s*#set\(\s*\$context\.responseOverride\.header\.([\w-]+)\s*=\s*"([^"]*)"\s*\)[ \t]*\n?/;

/**
 * A response template: the header fields that it overrides, then its text.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-override-request-response-parameters.html
 * @throws Error that names what is not known
 */
export function renderResponse(
  template: string,
  variables: Variables,
): { headers: HeaderList; body: string } {
  const headers: [string, string][] = [];
  let rest = template;
  for (let set = OVERRIDE.exec(rest); set !== null; set = OVERRIDE.exec(rest)) {
    const [all, name = '', value = ''] = set;
    if (header(headers, name) !== undefined)
      throw new Error(`A template overrides the header ${name} twice.`);
    headers.push([name, fillIn(value, variables)]);
    rest = rest.slice(all.length);
  }
  if (rest.includes('#')) throw new Error(`# in a mapping template is not known: ${template}`);
  return { headers, body: fillIn(rest, variables) };
}

/** The list with a content type; what API Gateway sends without one is JSON. */
export function withDefaultType(headers: HeaderList): HeaderList {
  return header(headers, 'content-type') ? headers : [...headers, ['Content-Type', 'application/json']];
}
