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
