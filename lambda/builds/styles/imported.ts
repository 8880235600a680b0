import type { BuildContext, StyleContext } from '../context.ts';
import { nameHash } from '../files.ts';
import { BASE_IMPORT } from '../own-code/env.ts';
import { bundleStyles } from './styles.ts';

/** Begins the URLs of a style sheet that a script has as a text: it may be used anywhere in a page. */
const SITE = 'site-base:/';
/** What stands for a style sheet in scripts until it is built, which takes the packages that own code imports. */
const MARK = /(?<=["'`])sheet-(?:text|url)-[0-9a-f]{16}(?=["'`])/g;

/** Returns the code of the module that a style sheet is with `?inline` or `?url`. */
export function sheetModule(path: string, css: string, query: string, { sheets }: BuildContext): string {
  const use = new URLSearchParams(query).has('inline') ? 'text' : 'url';
  const mark = `sheet-${use}-${nameHash(path)}`;
  sheets.set(mark, { path, css });
  if (use === 'url') return `export default new URL("${mark}", import.meta.url).href;`;
  return `${BASE_IMPORT};\nexport default "${mark}".replaceAll("${SITE}", __base);`;
}

/** Builds the style sheets of `sheetModule`, and returns a function that puts them into a script. */
export async function importedSheets(
  { sheets }: BuildContext,
  style: StyleContext,
  emit: (name: string, content: Uint8Array) => string,
): Promise<(script: string) => string> {
  const built = new Map<string, string>();
  for (const [mark, sheet] of sheets) {
    const [, use] = /^sheet-(text|url)-/.exec(mark) ?? [];
    if (use === undefined) continue;
    const css = await bundleStyles([sheet], { ...style, assets: use === 'text' ? `${SITE}assets/` : '' });
    built.set(mark, use === 'text' ? css : emit(sheet.path, Buffer.from(css)));
  }
  return (script) => script.replace(MARK, (mark) => JSON.stringify(built.get(mark) ?? mark).slice(1, -1));
}
