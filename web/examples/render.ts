import { STATUS_CODES } from 'node:http';
import { ELLIPSIS, type ExampleRequest, type ExampleResponse } from './recording.ts';

/** Longer JSON is split into lines. */
const LINE_LENGTH = 70;

/** Returns the curl command of a request, for a shell in which the variables of the request and `BASE` are set. */
export function curlCommand({ method, path, headers = {}, body, follow }: ExampleRequest): string {
  const implied = body === undefined ? 'GET' : 'POST';
  const options = [`-i${follow ? ' -L' : ''}`, ...(method === implied ? [] : [`-X ${method}`])];
  const json = body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${shellJson(body)}'`];
  const lines = [`curl ${options.join(' ')} "$BASE${path}"`, ...headerOptions(headers), ...json];
  return lines.join(' \\\n  ');
}

/** Variables expand in double quotes only. */
function headerOptions(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    const quote = value.includes('$') ? '"' : "'";
    return `-H ${quote}${name}: ${value}${quote}`;
  });
}

/** Closes the single quotes of the argument around variables. */
function shellJson(body: unknown): string {
  return jsonText(body, '  ').replaceAll(/\$[A-Z]+/g, (variable) => `'"${variable}"'`);
}

/** Returns a response as `curl -i` prints it: status line, headers, an empty line and the body. */
export function responseText({ status, headers, body }: ExampleResponse): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...fields].join('\n');
  return body === undefined ? head : `${head}\n\n${jsonText(body)}`;
}

/** Formats JSON: a value on one line if it fits, otherwise one line per element. */
function jsonText(value: unknown, indent = ''): string {
  const inline = inlineJson(value);
  if (typeof value !== 'object' || value === null) return inline;
  if (indent.length + inline.length <= LINE_LENGTH && !inline.includes(ELLIPSIS)) return inline;
  const inner = `${indent}  `;
  const elements = Array.isArray(value)
    ? value.map((element) => (element === ELLIPSIS ? ELLIPSIS : jsonText(element, inner)))
    : Object.entries(value).map(([key, element]) => `"${key}": ${jsonText(element, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${inner}${elements.join(`,\n${inner}`)}\n${indent}${close}`;
}

function inlineJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inlineJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, field]) => `"${key}": ${inlineJson(field)}`);
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}
