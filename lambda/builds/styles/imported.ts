import type { BuildContext, StyleContext } from '../context.ts';
import { SITE } from '../own-code/assets.ts';
import { bundleStyles } from './styles.ts';

/** The text in the place of a style sheet in scripts, until the packages that it may import are known and it is built. */
const MARK = /(?<=["'`])sheet-(?:text|url)-[0-9a-f]{16}(?=["'`])/g;

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
