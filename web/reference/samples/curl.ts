import { STATUS_CODES } from 'node:http';
import type { ExampleResponse, Recording } from '../examples/recording.ts';
import { JSON_NOTATION, literal } from './literal.ts';

/** Returns the curl command of a request, for a shell in which the variables of the request are set. */
export function curlSample({ request, response }: Recording, base: string): string {
  const { method, path, headers = {}, body, saveAs } = request;
  const follow = request.follow || (saveAs !== undefined && response.status === 303);
  const implied = body === undefined ? 'GET' : 'POST';
  const output = saveAs === undefined ? '-i' : `-o ${saveAs}`;
  const options = [`${output}${follow ? ' -L' : ''}`, ...(method === implied ? [] : [`-X ${method}`])];
  const json = body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${shellJson(body)}'`];
  const lines = [`curl ${options.join(' ')} "${base}${path}"`, ...headerOptions(headers), ...json];
  return lines.join(' \\\n  ');
}

/** Variables expand in double quotes only. */
function headerOptions(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    const quote = value.includes('$') ? '"' : "'";
    return `-H ${quote}${name}: ${value}${quote}`;
  });
}

/** Closes the single quotes of the argument around apostrophes and variables. */
function shellJson(body: unknown): string {
  return literal(body, JSON_NOTATION, '  ')
    .replaceAll("'", `'\\''`)
    .replaceAll(/\$[A-Z]+/g, (variable) => `'"${variable}"'`);
}

/** Returns a response as `curl -i` prints it: status line, headers, an empty line and the body. */
export function responseText({ status, headers, body }: ExampleResponse): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields].join('\n');
  return body === undefined ? head : `${head}\n\n${literal(body, JSON_NOTATION)}`;
}
