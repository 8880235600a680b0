import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the barriers of a page. @param scope what axe runs on; by default the page itself, as a project in the preview has its own */
export async function violations(page: Page, scope = "{ exclude: ['iframe'] }, { iframes: false }"): Promise<unknown> {
  await page.evaluate(AXE);
  const found = 'violations.map(({ id, nodes }) => [id, nodes[0].html])';
  return page.evaluate(`axe.run(${scope}).then(({ violations }) => ${found})`);
}

/** Expects a page in a state to have no barriers, and to be as wide as its window. */
export async function expectFits(page: Page, state: string, width: number): Promise<void> {
  expect([state, await violations(page)]).toEqual([state, []]);
  expect([state, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([state, width]);
}

/** Makes the page record what moves without having been asked to. */
export const WATCH_SHIFTS = `globalThis.shifts = []; new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) shifts.push([value, ...sources.map(({ node, previousRect: from, currentRect: to }) =>
      [node?.className || node?.nodeName, from.toJSON(), to.toJSON()].map((one) => JSON.stringify(one)).join(' '))]);
}).observe({ type: 'layout-shift', buffered: true });`;
