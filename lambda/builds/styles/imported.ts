import type { BuildContext, StyleContext } from '../context.ts';
import { SITE } from '../own-code/assets.ts';
import { bundleStyles } from './styles.ts';

/** What stands for a style sheet in scripts until it is built, which takes the packages that own code imports. */
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
