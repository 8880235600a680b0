import { page, type SoundProject, site } from '../project.ts';

const STYLES = `body { font-family: Lora, Georgia, serif; margin: 0; color: #292524; background: #fafaf9; }
header, main, footer { max-width: 44rem; margin: 0 auto; padding: 1rem; }
nav a { color: #9f1239; margin-right: 1rem; display: inline-block; padding: 0.3rem 0; }
`;
const NAV = `<header><nav aria-label="Main"><a href="/">Home</a><a href="about.html">About</a><a href="contact.html">Contact</a></nav></header>`;
const LINKED = '<link rel="stylesheet" href="styles.css">';

/** Pages of text, and sites of several pages. */
export const SITES: readonly SoundProject[] = [
  {
    name: 'a minimal page',
    files: {
      'index.html': '<!doctype html><html lang="en"><title>Hello</title><h1>Hello, world!</h1></html>\n',
    },
  },
  site(
    'a site of three pages with a page for missing ones',
    'Potter',
    `${NAV}<main><h1>Potter</h1><p>Handmade bowls.</p></main>`,
    LINKED,
    {
      'about.html': page('About', `${NAV}<main><h1>About</h1><p>Since 1987.</p></main>`, LINKED),
      'contact.html': page(
        'Contact',
        `${NAV}<main><h1>Contact</h1><p><a href="mailto:hi@potter.example">hi@potter.example</a>, <a href="tel:+4712345678">+47 12 34 56 78</a></p></main>`,
        LINKED,
      ),
      '404.html': page('Not found', `${NAV}<main><h1>This page does not exist</h1></main>`, LINKED),
      'styles.css': STYLES,
    },
  ),
  site(
    'a list of links to other sites',
    'Links',
    `<main><h1>Links</h1><ul><li><a href="https://developer.mozilla.org/">MDN</a></li><li><a href="https://github.com/" target="_blank" rel="noopener">GitHub</a></li><li><a href="//example.com">Example</a></li></ul>
<button onclick="window.open('https://www.wikipedia.org/', '_blank')">Open Wikipedia</button></main>`,
    LINKED,
    {
      'styles.css': STYLES,
    },
  ),
  site(
    'an article in a font of Google',
    'Slow travel',
    `<main><h1>Slow travel</h1><p>Take the night train.</p></main>`,
    `<link rel="preconnect" href="https://fonts.googleapis.com">
  <link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Lora&display=swap">
  ${LINKED}`,
    {
      'styles.css': STYLES,
    },
  ),
  site(
    'questions that unfold',
    'FAQ',
    `<main><h1>Questions</h1><details><summary>Do you ship abroad?</summary><p>Yes, within two weeks.</p></details><details open><summary>May I return it?</summary><p>Within 30 days.</p></details></main>`,
    LINKED,
    {
      'styles.css': STYLES,
    },
  ),
  site(
    'a wide table in a frame that scrolls',
    'Timetable',
    `<main><h1>Timetable</h1><div class="scroll" tabindex="0" role="region" aria-label="Timetable"><table><thead><tr>${Array.from({ length: 12 }, (_, i) => `<th scope="col">${i + 8}:00</th>`).join('')}</tr></thead><tbody><tr>${'<td>Mathematics</td>'.repeat(12)}</tr></tbody></table></div></main>`,
    `${LINKED}<style>.scroll { overflow-x: auto; } th, td { padding: 0.5rem 1rem; border: 1px solid #a8a29e; }</style>`,
    {
      'styles.css': STYLES,
    },
  ),
  site(
    'a page in three languages, one of them from right to left',
    'Museum',
    `<main><h1 id="title">Museum</h1><p id="text">Open every day.</p><button lang="de" data-to="de">Deutsch</button> <button lang="ar" data-to="ar">العربية</button> <button data-to="en">English</button></main><script src="i18n.js"></script>`,
    LINKED,
    {
      'styles.css': STYLES,
      'i18n.js': `const texts = {
  en: ['Museum', 'Open every day.'],
  de: ['Museum', 'Täglich geöffnet.'],
  ar: ['متحف', 'مفتوح كل يوم.'],
};
for (const button of document.querySelectorAll('[data-to]')) {
  button.addEventListener('click', () => {
    const language = button.dataset.to;
    document.documentElement.lang = language;
    document.documentElement.dir = language === 'ar' ? 'rtl' : 'ltr';
    [document.getElementById('title').textContent, document.getElementById('text').textContent] = texts[language];
  });
}
`,
    },
  ),
  site(
    'a page that frames another one',
    'Widgets',
    `<main><h1>Widgets</h1><iframe src="clock.html" title="Clock" width="240" height="100"></iframe></main>`,
    LINKED,
    {
      'clock.html': page(
        'Clock',
        `<main><h1>Clock</h1><p><time id="now">…</time></p></main><script>document.getElementById('now').textContent = new Date().toLocaleTimeString();</script>`,
        LINKED,
      ),
      'styles.css': STYLES,
    },
  ),
  site(
    'a picture in the page, and a missing one with a substitute',
    'Flag',
    `<main><h1>Flag</h1><img alt="Red square" width="60" height="60" src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='red'/%3E%3C/svg%3E">
<img alt="Avatar" width="60" height="60" src="https://avatars.example.com/1.png" onerror="this.onerror=null;this.src='avatar.svg'"></main>`,
    LINKED,
    {
      'avatar.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="teal"/></svg>\n',
      'styles.css': STYLES,
    },
  ),
];
