import type { Invoke } from './invoke.ts';

/** Returns the body of a deploy. Each file has different text that resembles source code. */
export function projectOf(count: number, bytesPerFile: number) {
  const line = (i: number, n: number) =>
    `export const value${n} = compute(${(i * 7919 + n * 104_729) % 99_991});\n`;
  const files = Array.from({ length: count }, (_, i) => {
    let content = '';
    for (let n = 0; content.length < bytesPerFile; n++) content += line(i, n);
    return { path: i === 0 ? 'index.html' : `src/file-${i}.js`, content: content.slice(0, bytesPerFile) };
  });
  return { files };
}

/** The body of a deploy of 10 MB. */
export const PROJECT = Buffer.from(JSON.stringify(projectOf(200, 52_428)));
const BASE64 = PROJECT.toString('base64');

/** Deploys the project of 10 MB. @returns its id */
export async function deployLarge(invoke: Invoke): Promise<string> {
  const { status, body } = await invoke({ path: '/api/v1/deploy', body: BASE64 });
  if (status >= 300) throw new Error(`the deploy failed: ${status} ${body}`);
  return (JSON.parse(body) as { id: string }).id;
}
