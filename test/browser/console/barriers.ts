import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the barriers of the page itself; a project in the preview has its own. */
export async function violations(page: Page): Promise<unknown> {
  await page.evaluate(AXE);
  return page.evaluate(
    `axe.run({ exclude: ['iframe'] }, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html]))`,
  );
}

/** Makes the page record what moves without having been asked to. */
export const WATCH_SHIFTS = `globalThis.shifts = []; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push([value, ...sources.map(({ node, previousRect: from, currentRect: to }) =>
      [node?.className || node?.nodeName, from.toJSON(), to.toJSON()].map((one) => JSON.stringify(one)).join(' '))]);
}).observe({ type: 'layout-shift', buffered: true });`;
