import axe from 'axe-core/axe.min.js';
import { LOOK_LIMITS } from '../contract/looks.ts';
import { settleFrames, showsSomething, sticksOut } from './in-page/appearance.js';
import { isOneColor } from './one-color.ts';
import type { Tab } from './tab.ts';

const PHONE = 390;
/** Rules of the Web Content Accessibility Guidelines; best practices are a matter of opinion. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
/**
 * Chromium lets the keyboard scroll what scrolls (https://developer.chrome.com/blog/keyboard-focusable-scrollers), frames of other origins are
 * not loaded in a look, and a name may describe more than an icon or an abbreviation. The rest is what axe-core calls experimental.
 */
const IGNORED = [
  'scrollable-region-focusable',
  'frame-tested',
  'css-orientation-lock',
  'label-content-name-mismatch',
  'p-as-heading',
  'table-fake-caption',
  'td-has-header',
];
const MAX_PICTURED = 4_000;

/** Examines a page that has loaded, and pictures it as it is. */
export async function examine(tab: Tab): Promise<Uint8Array | undefined> {
  await tab.call(settleFrames);
  const picture = await tab.picture();
  if (await isBlank(tab, picture)) {
    const [elsewhere] = tab.record.refused;
    if (elsewhere === undefined)
      tab.record.add({ kind: 'blank', message: 'The page shows nothing', blocking: true });
    else tab.record.add({ kind: 'blank', message: `The page shows nothing (${elsewhere} was not loaded)` });
  } else {
    if (tab.record.width === PHONE) await measure(tab);
    await audit(tab);
  }
  return picture && picture.length <= LOOK_LIMITS.screenshotBytes ? picture : undefined;
}

async function isBlank(tab: Tab, picture: Uint8Array | undefined): Promise<boolean> {
  if (!(await tab.call(showsSomething))) return true;
  if (picture === undefined || !isOneColor(picture)) return false;
  const whole = await tab.picture(MAX_PICTURED);
  return whole !== undefined && isOneColor(whole);
}

async function measure(tab: Tab): Promise<void> {
  const wide = await tab.call(sticksOut);
  if (wide === undefined) return;
  const by = wide.element === undefined ? '' : `: ${wide.element.slice(0, 150)} sticks out`;
  tab.record.add({
    kind: 'wide',
    message: `The page scrolls sideways on a phone, it is ${wide.scrollWidth} px wide instead of ${wide.width}${by}`,
  });
}

async function audit(tab: Tab): Promise<void> {
  const options = {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(IGNORED.map((id) => [id, { enabled: false }])),
    resultTypes: ['violations'],
    iframes: false,
    // Style sheets of other origins are out of reach.
    preload: false,
  };
  const ran = await tab.evaluate(
    `${axe.source}; axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(
      ({ id, impact, help, nodes: [first] }) => ({ id, impact, help, html: first.html, summary: first.any[0]?.message ?? '' })))`,
  );
  const violations = ran as readonly Record<'id' | 'impact' | 'help' | 'html' | 'summary', string>[];
  for (const { id, impact, help, html, summary } of violations) {
    if (impact !== 'serious' && impact !== 'critical') continue;
    const detail =
      id === 'color-contrast' ? ` (${summary.replace(/^.{0,80}?contrast of /, 'contrast ')})` : '';
    tab.record.add({ kind: 'accessibility', message: `${help}: ${html.slice(0, 120)}${detail}` });
  }
}
