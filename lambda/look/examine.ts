import axe from 'axe-core/axe.min.js';
import { LOOK_LIMITS } from '../contract/looks.ts';
import type { PageRecord } from './findings.ts';
import { isOneColor, settleFrames, showsSomething, sticksOut } from './in-page/appearance.js';
import { isStyledElsewhere } from './in-page/styles.js';
import { findEmptyView } from './in-page/view.js';
import { findLayout, short } from './layout.ts';
import type { Tab } from './tab.ts';

const PHONE = 390;
/** Rules of the Web Content Accessibility Guidelines; best practices are a matter of opinion. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'];
/**
 * Chromium lets the keyboard scroll what scrolls (https://developer.chrome.com/blog/keyboard-focusable-scrollers),
 * frames of other origins are not loaded in a look, and a name may describe more than an icon or an abbreviation. The
 * rest is what axe-core calls experimental.
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
/** The time that fonts may take. */
const FONTS_MS = 500;

/** Examines a page that has loaded, and pictures it as it is. */
export async function examine(tab: Tab): Promise<Uint8Array | undefined> {
  await tab.call(settleFrames, FONTS_MS * tab.patience);
  const picture = await tab.picture();
  if (await isBlank(tab, picture)) addBlank(tab.record, 'The page shows nothing');
  else {
    await findEmpty(tab);
    await examineStyle(tab, { isMeasured: tab.record.width === PHONE, isAudited: true });
  }
  return picture && picture.length <= LOOK_LIMITS.screenshotBytes ? picture : undefined;
}

/** Examines a page of the site besides its entry, which has loaded: without a picture, and each rule once. */
export async function examineOther(tab: Tab): Promise<void> {
  await tab.call(settleFrames, FONTS_MS * tab.patience);
  if (!(await tab.call(showsSomething))) addBlank(tab.record, 'The page shows nothing');
  else {
    await findEmpty(tab);
    // Each once, on the screen where more is found.
    const isPhone = tab.record.width === PHONE;
    await examineStyle(tab, { isMeasured: isPhone, isAudited: !isPhone });
  }
}

/** Examines a view of the entry, which was examined itself. */
export async function examineView(tab: Tab): Promise<void> {
  await tab.call(settleFrames, FONTS_MS * tab.patience);
  await findEmpty(tab);
  await examineStyle(tab, { isMeasured: tab.record.width === PHONE, isAudited: false });
}

/** Examines what depends on the style sheets of a page, unless some are of other sites, which a look does not load. */
async function examineStyle(
  tab: Tab,
  { isMeasured, isAudited }: { readonly isMeasured: boolean; readonly isAudited: boolean },
): Promise<void> {
  const isWhole = (await tab.try(isStyledElsewhere)) !== true;
  if (isWhole && isMeasured) await measure(tab);
  if (isWhole) await findLayout(tab);
  if (isAudited) await audit(tab, isWhole ? IGNORED : [...IGNORED, 'color-contrast']);
}

/** Records that nothing is shown, which is no certain fault if scripts or data elsewhere were not loaded. */
function addBlank(record: PageRecord, message: string, blocking = true): void {
  const [elsewhere] = record.refused;
  if (elsewhere === undefined) record.add({ kind: 'blank', message, ...(blocking && { blocking }) });
  else record.add({ kind: 'blank', message: `${message} (${elsewhere} was not loaded)` });
}

async function findEmpty(tab: Tab): Promise<void> {
  const view = await tab.try(findEmptyView);
  if (view === undefined) return;
  const message = `The page shows nothing between its header and its footer: ${short(view.element)} is empty`;
  addBlank(tab.record, message, !view.isOffered);
}

async function isBlank(tab: Tab, picture: Uint8Array | undefined): Promise<boolean> {
  if (!(await tab.call(showsSomething))) return true;
  if (!(await isPlain(tab, picture))) return false;
  return isPlain(tab, await tab.picture(MAX_PICTURED));
}

/**
 * Returns whether a picture has one color. The browser knows its format, and compares in a world without the scripts of
 * the page.
 */
async function isPlain(tab: Tab, picture: Uint8Array | undefined): Promise<boolean> {
  if (picture === undefined) return false;
  return (await tab.try(isOneColor, Buffer.from(picture).toString('base64'))) === true;
}

async function measure(tab: Tab): Promise<void> {
  const wide = await tab.call(sticksOut);
  if (wide === undefined) return;
  const by = wide.element === undefined ? '' : `: ${short(wide.element)} sticks out`;
  tab.record.add({
    kind: 'wide',
    message: `The page scrolls sideways on a phone, it is ${wide.scrollWidth} px wide instead of ${wide.width}${by}`,
  });
}

/** Returns a script that audits a page for people with disabilities, and evaluates to the rules that it breaks. */
export function auditScript(ignored: readonly string[] = IGNORED): string {
  const options = {
    runOnly: { type: 'tag', values: TAGS },
    rules: Object.fromEntries(ignored.map((id) => [id, { enabled: false }])),
    resultTypes: ['violations'],
    iframes: false,
    // Style sheets of other origins are out of reach.
    preload: false,
  };
  return `${axe.source}; axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations.map(
    ({ id, impact, help, nodes: [first] }) => ({ id, impact, help, html: first.html, summary: first.any[0]?.message ?? '' })))`;
}

async function audit(tab: Tab, ignored: readonly string[]): Promise<void> {
  const ran = await tab.evaluate(auditScript(ignored));
  const violations = ran as readonly Record<'id' | 'impact' | 'help' | 'html' | 'summary', string>[];
  for (const { id, impact, help, html, summary } of violations) {
    if (impact !== 'serious' && impact !== 'critical') continue;
    const detail = id === 'color-contrast' ? ` (${summary.replace(/^.{0,80}?contrast of /, 'contrast ')})` : '';
    tab.record.add({ kind: 'accessibility', message: `${help}: ${short(html)}${detail}` });
  }
}
