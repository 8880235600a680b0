import { compose } from '../../../blueprints/engine/compose.ts';
import { browser } from '../browser.ts';
import { openProject } from '../open-project.ts';

/** A prompt for every kind of web project. */
const PROMPTS = [
  'a pomodoro timer',
  'a to-do list',
  'a landing page for a coffee shop with pricing, testimonials, menu, opening hours, team, faq and contact',
  'a scientific calculator',
  'a notes app',
  'a quiz',
  'a page about whales',
  'an operating system',
  'a kanban board',
  'a portfolio for a photographer',
  'a job application form',
  'weather in Lisbon',
  'a sales dashboard',
  'a snake game',
  'an expense tracker',
  'a habit tracker',
  'a gantt chart',
  'an invoice generator',
  'a currency converter',
  'a tic-tac-toe game',
  'a memory game',
  '2048',
  'a breakout game',
  'a typing test',
  'flash cards',
  'a world clock',
  'a REST API for books',
  'a command-line to-do list',
  'a chat app',
  'a drawing app',
  'a pixel art editor',
  'a drum machine',
  'a music player',
  'a recipe for pancakes',
  'a blog about slow travel',
  'a resume for Jane Doe, nurse',
  'a wedding invitation for Emma & Luis',
  'a multi-step form',
  'a command-line tool that renames files',
  'a guestbook for our wedding',
  'a poll: which day suits you, Monday, Tuesday or Friday?',
  'registration for our workshop, 12 places',
];

const OWN = { ownOrigins: true };

const REFUSE_STORAGE =
  "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('refused', 'SecurityError') } })";

it.each(PROMPTS)('%s fits the narrowest phones, is readable and works without storage', async (prompt) => {
  await using project = await openProject(browser, compose(`${prompt} with a yellow accent`, '10min', { data: OWN }), {
    viewport: { width: 320, height: 640 },
  });
  const { page, faults } = project;
  await page.addInitScript(REFUSE_STORAGE);
  await page.reload();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
  expect(await page.getByRole('button', { name: 'Dark theme' }).isVisible()).toBe(true);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect([colorScheme, await page.evaluate(lowContrast)]).toEqual([colorScheme, []]);
  }
  expect(faults).toEqual([]);
});

/** Runs in the page: lists texts whose contrast with the nearest opaque background is below WCAG AA. */
const lowContrast = `(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((part, index) => part * (a / 255) + under[index] * (1 - a / 255));
  const background = (node) => {
    if (!node) return [255, 255, 255];
    const color = rgba(getComputedStyle(node).backgroundColor);
    return color[3] === 255 ? color.slice(0, 3) : over(color, background(node.parentElement));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const bad = [];
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.data.trim();
    if (!text || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const under = background(element);
    const [high, low] = [luminance(under), luminance(over(rgba(getComputedStyle(element).color), under))].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const large = parseFloat(getComputedStyle(element).fontSize) >= 24;
    if (ratio < (large ? 3 : 4.5)) bad.push(text.slice(0, 30) + ' ' + ratio.toFixed(2));
  }
  return bad;
})()`;
