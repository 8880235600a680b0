import { browser } from '../browser.ts';
import { sharedOrigin } from '../clouds.ts';
import { violations } from './barriers.ts';
import { openPart } from './part.ts';

const cloud = await sharedOrigin();

const EDITOR = `
import { CodeEditor } from './editor/code-editor.tsx';
globalThis.changes = [];
globalThis.show = (path, content, readOnly = false) => render(h('div', { style: { height: '300px' } },
  h('button', {}, 'Before'), h(CodeEditor, { path, content, readOnly, onChange: (text) => changes.push(text) }), h('button', {}, 'After')), app);
show('index.html', '<!doctype html>\\n<p class="a">Text</p>\\n');`;
/** The distances of the line numbers, before the browser can draw the editor. */
const FIRST_STEPS = `
globalThis.steps = new Promise((resolve) => new MutationObserver(() => {
  const host = app.querySelector('.code-editor-host:not([hidden])');
  const tops = [...host?.shadowRoot?.querySelectorAll('.cm-gutterElement') ?? []].map((one) => one.getBoundingClientRect().top);
  if (host) resolve(tops.slice(2).map((top, at) => Math.round(top - tops[at + 1])));
}).observe(app, { subtree: true, attributeFilter: ['hidden'] }));`;
const LINES = Array.from({ length: 500 }, (_, n) => `const line${n} = '${n}';`).join('\n');

describe('the editor', () => {
  it('highlights and edits under the policy of the console', async () => {
    const { page, faults } = await openPart(browser, cloud.baseUrl, EDITOR);
    const content = page.getByRole('textbox', { name: 'index.html' });
    await content.waitFor();
    const colors = `[...document.querySelector('.code-editor-host').shadowRoot.querySelectorAll('.cm-line span')].map((span) => getComputedStyle(span).color)`;
    while (!(await page.evaluate(`new Set(${colors}).size > 2`))) await page.waitForTimeout(20);
    await content.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('x');
    expect(await page.evaluate('changes.at(-1)')).toBe('x<!doctype html>\n<p class="a">Text</p>\n');
    await page.keyboard.press('Control+z');
    expect(await page.evaluate('changes.at(-1)')).toBe('<!doctype html>\n<p class="a">Text</p>\n');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('has its line numbers in place from the start', async () => {
    const { page } = await openPart(browser, cloud.baseUrl, EDITOR + FIRST_STEPS);
    expect(await page.evaluate('steps')).toEqual([20, 20]);
    await page.context().close();
  });

  it('is left with the tab key, in both directions', async () => {
    const { page } = await openPart(browser, cloud.baseUrl, EDITOR);
    await page.getByRole('textbox', { name: 'index.html' }).click();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('After');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Before');
    await page.context().close();
  });

  it('keeps its scroll position while a file grows, and does not report that as a change', async () => {
    const { page, faults } = await openPart(browser, cloud.baseUrl, EDITOR);
    const show = (path: string, content: string) =>
      page.evaluate(
        ([p, c]) => (globalThis as unknown as { show(...a: unknown[]): void }).show(p, c, true),
        [path, content],
      );
    await page.getByRole('textbox', { name: 'index.html' }).waitFor();
    await show('app.js', LINES);
    await page.getByRole('textbox', { name: 'app.js, read only' }).waitFor();
    const scroller = `document.querySelector('.code-editor-host').shadowRoot.querySelector('.cm-scroller')`;
    await page.evaluate(`${scroller}.scrollTop = 4000`);
    await show('app.js', `${LINES}\nexport {};`);
    expect(await page.evaluate(`${scroller}.scrollTop`)).toBe(4000);
    expect(await page.evaluate('changes')).toEqual([]);
    await page.getByRole('textbox').click();
    await page.keyboard.type('x');
    expect(await page.evaluate('changes')).toEqual([]);
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

const PARTS = `
import { QrCode } from './parts/qr-code.tsx';
import { Diff } from './parts/diff.tsx';
import { UsageChart, ViewsChart } from './parts/charts.tsx';
import { FileTree } from './parts/file-tree.tsx';
import { CodeEditor } from './editor/code-editor.tsx';
const usage = (calls, failed) => ({ calls, statuses: { 200: calls - failed, 429: failed }, tokens: calls * 900, files: calls, bytes: 1, ms: 1, cost: { usd: 0.02, unpriced: 0 } });
const report = { from: '2026-11-01', to: '2026-11-22', totals: usage(9, 2), days: [
  { day: '2026-11-03', operations: { deploy: usage(4, 1) } }, { day: '2026-11-20', operations: { generate: usage(5, 1) } }] };
const views = { counted: true, from: '2026-11-01', to: '2026-11-03', totals: { views: 12, visitors: 7, bots: 1 }, days: [
  { date: '2026-11-01', views: 2, visitors: 2, bots: 1 }, { date: '2026-11-02', views: 0, visitors: 0, bots: 0 }, { date: '2026-11-03', views: 10, visitors: 5, bots: 0 }],
  paths: [{ path: '/', views: 9 }, { path: '/about/' + 'x'.repeat(150), views: 2 }], referrers: [{ host: 'news.example', views: 3 }], other: { paths: 1, referrers: 0 }, statuses: { 200: 12 } };
const files = ['index.html', 'css/style.css', 'js/app.js', 'js/lib/a.js', 'README.md'];
globalThis.selected = [];
let current = 'index.html';
const draw = () => render([
  h('h1', {}, 'Parts'),
  h(FileTree, { files, selected: current, planned: ['js/later.js'], marks: new Map([['js/app.js', 'changed'], ['css/style.css', 'new']]),
    onSelect: (path) => { selected.push(path); current = path; draw(); } }),
  h(Diff, { diff: '--- a\\n+++ b\\n@@ -1,3 +1,3 @@\\n one\\n-two\\n+two and a half\\n three\\n' }),
  h(UsageChart, { report }),
  h(ViewsChart, { report: views }),
  h(QrCode, { text: 'https://service.example/d/abcdefghijkl' }),
  h('div', { style: { height: '120px' } }, h(CodeEditor, { path: 'app.js', content: 'const a = "b"; // c', readOnly: true })),
], app);
draw();`;

describe('the parts', () => {
  it.each(['light', 'dark'] as const)('have no barrier for assistive technology, %s', async (colorScheme) => {
    const { page, faults } = await openPart(browser, cloud.baseUrl, PARTS, { colorScheme });
    await page.getByRole('textbox', { name: 'app.js, read only' }).waitFor();
    for (const summary of await page.locator('summary').all()) await summary.click();
    expect(await violations(page, "'#app', { rules: { region: { enabled: false } } }")).toEqual([]);
    expect(await page.getByText('12 views by 7 visitors from Nov 1 to Nov 3').count()).toBe(1);
    expect(await page.getByRole('img', { name: /^QR code of https/ }).count()).toBe(1);
    expect(await page.locator('ins').innerText()).toBe('+two and a half');
    expect(await page.locator('del').innerText()).toBe('−two');
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('have a tree that the keyboard moves in', async () => {
    const { page } = await openPart(browser, cloud.baseUrl, PARTS);
    const focused = () => page.evaluate(`document.activeElement.querySelector('.file-name')?.textContent`);
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
      return focused();
    };
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('index.html');
    expect(await press('Home')).toBe('css');
    expect(await press('ArrowRight')).toBe('style.css');
    expect(await press('ArrowLeft')).toBe('css');
    expect(await press('ArrowLeft', 'ArrowDown')).toBe('js');
    expect(await page.getByRole('treeitem', { name: 'style.css' }).count()).toBe(0);
    expect(await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown')).toBe('later.js');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('selected')).toEqual([]);
    expect(await press('ArrowUp', 'Enter')).toBe('app.js');
    expect(await page.evaluate('selected')).toEqual(['js/app.js']);
    expect(await page.getByRole('treeitem', { selected: true }).innerText()).toMatch(/^app\.js\s+changed$/);
    expect(await press('r')).toBe('README.md');
    await page.context().close();
  });
});
