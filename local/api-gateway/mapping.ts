import { type HeaderList, header } from '../http.ts';

/** The variables that expressions and templates may use, by name: `context.requestId`. */
export type Variables = Readonly<Record<string, string>>;

/** The value of a mapping expression, `'a literal'` or a variable's name; undefined for any other. */
export function evaluate(expression: string, variables: Variables): string | undefined {
  return /^'(.*)'$/.exec(expression)?.[1] ?? variables[expression];
}

/** A mapping template with its variables put in; of VTL that is all. @throws Error that names what is not known */
export function render(template: string, variables: Variables): string {
  return template.replace(/\$([a-zA-Z.]+)|[$#]/g, (all, name: string | undefined) => {
    const value = name === undefined ? undefined : variables[name];
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
    headers.push([name, render(value, variables)]);
    rest = rest.slice(all.length);
  }
  return { headers, body: render(rest, variables) };
}

/** The list with a content type; what API Gateway sends without one is JSON. */
export function withDefaultType(headers: HeaderList): HeaderList {
  return header(headers, 'content-type') ? headers : [...headers, ['Content-Type', 'application/json']];
}
