import { type HeaderList, header } from '../http.ts';
import type { RequestContext } from './request-context.ts';

/** Returns the value of a variable in expressions and templates, such as `context.requestId`, or undefined. */
export type Variables = (name: string) => string | undefined;

/** Returns the variables of a request and those of `more`. */
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
 * Returns empty values for all variables that a request can have, to check expressions and templates at start-up.
 * @param authorized whether the method has an authorizer, whose context can have any key
 */
export function declaredVariables(authorized: boolean, more: readonly string[] = []): Variables {
  const names = new Set(['context.requestId', ...more]);
  return (name) =>
    names.has(name) || (authorized && name.startsWith('context.authorizer.')) ? '' : undefined;
}

/** Returns the value of a mapping expression: `'a literal'` or the name of a variable. Otherwise undefined. */
export function evaluate(expression: string, variables: Variables): string | undefined {
  return /^'(.*)'$/.exec(expression)?.[1] ?? variables(expression);
}

/** Expands the variables of a template. @throws Error that names an unsupported one */
export function fillIn(template: string, variables: Variables): string {
  return template.replace(/\$([a-zA-Z.]+)|\$/g, (all, name: string | undefined) => {
    const value = name === undefined ? undefined : variables(name);
    if (value === undefined) throw new Error(`${all} in a mapping template is not supported: ${template}`);
    return value;
  });
}

const OVERRIDE = /^\s*#set\(\s*\$context\.responseOverride\.header\.([\w-]+)\s*=\s*"([^"]*)"\s*\)[ \t]*\n?/;

/**
 * Expands a response template: the header fields that it overrides, and its text.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-override-request-response-parameters.html
 * @throws Error that names an unsupported element
 */
export function renderResponse(
  template: string,
  variables: Variables,
): { headers: HeaderList; body: string } {
  const headers: [string, string][] = [];
  let rest = template;
  for (let set = OVERRIDE.exec(rest); set !== null; set = OVERRIDE.exec(rest)) {
    const [all, name = '', value = ''] = set;
    if (header(headers, name) !== undefined) throw new Error(`A template overrides the header ${name} twice`);
    headers.push([name, fillIn(value, variables)]);
    rest = rest.slice(all.length);
  }
  if (rest.includes('#')) throw new Error(`# in a mapping template is not supported: ${template}`);
  return { headers, body: fillIn(rest, variables) };
}

/** Returns the list with a content type: by default, API Gateway sends JSON. */
export function withDefaultType(headers: HeaderList): HeaderList {
  return header(headers, 'content-type') ? headers : [...headers, ['Content-Type', 'application/json']];
}
