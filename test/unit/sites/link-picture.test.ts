import { withLinkPicture } from '../../../lambda/sites/link-picture.ts';
import { testRows } from '../../support/rows.ts';

const URL = 'https://x.test/d/a.png?b=1&c="';
const TAG = '<meta property="og:image" content="https://x.test/d/a.png?b=1&amp;c=&quot;">';

testRows([
  [
    'of several lines',
    '<html>\n  <head>\n    <title>A</title>\n  </head>',
    `<html>\n  <head>\n    <title>A</title>\n    ${TAG}\n  </head>`,
    4,
  ],
  ['with Windows line ends', '<head>\r\n</head>', `<head>\r\n${TAG}\r\n</head>`, 2],
  ['whose head is in one line', '<head><title>A</title></HEAD >', `<head><title>A</title>\n${TAG}\n</HEAD >`, 2],
  ['with a head that does not end', '<head lang="en">\n<h1>A</h1>', `<head lang="en">\n${TAG}\n<h1>A</h1>`, 2],
  ['with a title only', '<!doctype html>\n<title>A</title><h1>', `<!doctype html>\n<title>A</title>\n${TAG}<h1>`, 3],
  ['with a doctype only', '<!doctype html><h1>', `<!doctype html>\n${TAG}<h1>`, 2],
  ['without any', '<header>', `${TAG}\n<header>`, 1],
])('adds a line with the picture to a page', (_, html, expected, line) => {
  expect(withLinkPicture(html, URL)).toEqual({ html: expected, line });
});

it('leaves a page alone that has a picture', () => {
  expect(withLinkPicture("<head><META content=a.png property='og:image'></head>", URL)).toBeUndefined();
});

it('takes linear time', () => {
  for (const part of ['</head', '</head ', '<head ', '<!doctype', 'og:imag', '\n '])
    expect(withLinkPicture(part.repeat(300_000), URL)?.html).toContain(TAG);
});
