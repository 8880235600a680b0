import type { Browser, Frame, Page } from 'playwright-core';
import { openPart } from './part.ts';

export type PreviewedFiles = Readonly<Record<string, string | readonly number[]>>;

/** A part that previews the projects that `show` gets, and has a field that a user types in. */
const SCRIPT = `
import { Preview } from './preview/preview.tsx';
globalThis.problems = [];
const onProblem = (message) => problems.push(message);
globalThis.show = (files) => {
  const map = new Map(Object.entries(files).map(([path, content]) => [path, typeof content === 'string' ? content : new Uint8Array(content)]));
  const preview = h('div', { style: { height: '600px' } }, h(Preview, { files: map, width: 'desktop', onProblem }));
  render([h('input', { id: 'key', 'aria-label': 'Key' }), preview], app);
};
localStorage.setItem('secret', 'of the console');
document.cookie = 'secret=1';
`;

export interface Previewed {
  readonly page: Page;
  readonly faults: readonly string[];
  show(project: PreviewedFiles): Promise<void>;
  problems(): Promise<string[]>;
  /** The frame that is shown, once nothing is loading. */
  frame(): Promise<Frame>;
  /** The frame that is shown, once its page has a title, and is parsed: on a busy machine, it is shown before. */
  titled(title: RegExp): Promise<Frame>;
}

export async function openPreview(browser: Browser, baseUrl: string, project: PreviewedFiles): Promise<Previewed> {
  const { page, faults } = await openPart(browser, baseUrl, SCRIPT);
  const previewed: Previewed = {
    page,
    faults,
    show: (files) => page.evaluate((all) => (globalThis as unknown as { show(of: unknown): void }).show(all), files),
    problems: () => page.evaluate('problems'),
    async frame() {
      for (;;) {
        const shown = await page.waitForSelector('.preview iframe:only-child:not(.preview-next)');
        const frame = await shown.contentFrame();
        if (frame) return frame;
      }
    },
    async titled(title) {
      for (;;) {
        const frame = await previewed.frame();
        const [state, shown] = await frame.evaluate<string[]>('[document.readyState, document.title]').catch(() => []);
        if (state !== 'loading' && title.test(shown ?? '')) return frame;
        await page.waitForTimeout(20);
      }
    },
  };
  await previewed.show(project);
  return previewed;
}
