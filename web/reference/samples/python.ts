import type { Recording } from '../examples/recording.ts';
import { literal, type Notation } from './literal.ts';

const PYTHON: Notation = {
  string: (text) => (/^\$[A-Z]+$/.test(text) ? `os.environ["${text.slice(1)}"]` : JSON.stringify(text)),
  name: (text) => JSON.stringify(text),
  keywords: { true: 'True', false: 'False', null: 'None' },
  padded: false,
  trailingComma: ',',
  tab: '    ',
};

/** Returns a Python program that sends a request with the standard library. */
export function pythonSample({ request, response }: Recording, base: string): string {
  const { method, path, headers = {}, body, saveAs } = request;
  const sent = { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) };
  const options = [
    ...(method === 'GET' ? [] : [`method="${method}",`]),
    ...(Object.keys(sent).length > 0 ? [`headers=${literal(sent, PYTHON, '    ')},`] : []),
    ...(body === undefined ? [] : [`data=json.dumps(${literal(body, PYTHON, '    ')}).encode(),`]),
  ];
  const url = `"${base}${path}"`;
  const json = response.body === undefined ? '' : ', json.load(response)';
  const use =
    saveAs === undefined
      ? `with urlopen(request) as response:
    print(response.status${json})`
      : `with urlopen(request) as response, open("${saveAs}", "wb") as file:
    file.write(response.read())`;
  const code = `request = Request(${options.length > 0 ? `\n    ${[`${url},`, ...options].join('\n    ')}\n` : url})
${use}`;
  const modules = ['json', 'os'].filter((name) => code.includes(`${name}.`));
  return `${modules.length > 0 ? `import ${modules.join(', ')}\n` : ''}from urllib.request import Request, urlopen\n\n${code}`;
}
