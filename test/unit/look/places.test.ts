import { Places } from '../../../lambda/look/places.ts';

const HOME = 'https://page.invalid/d/look/';
/** Of `assets/index.js`, whose columns 0 and 10 of the first line are from a package and from line 5 of a source. */
const MAP = {
  version: 3,
  sources: ['../node_modules/a/a.js', '../src/My App.tsx'],
  names: [],
  mappings: 'AAAA,UCIE',
};

const files = (...paths: readonly string[]) => new Map(paths.map((path) => [path, Buffer.from('')]));
const placesOf = (contents: ReadonlyMap<string, Uint8Array>, entry = 'index.html') =>
  new Places({
    files: contents,
    entry,
    home: HOME,
    pathOf: (url) => (url.startsWith(HOME) ? decodeURIComponent(url.slice(HOME.length)) : undefined),
  });
const frame = (path: string, lineNumber: number, columnNumber: number) => ({
  url: path.includes(':') ? path : HOME + path,
  lineNumber,
  columnNumber,
});

it('names the first frame that is in the project', () => {
  const places = placesOf(files('index.html', 'my app.js'));
  const frames = [frame('', 1, 1), frame('https://cdn.example/x.js', 1, 1), frame('my%20app.js', 2, 4)];
  expect(places.placeOf(frames.slice(1))).toEqual({ path: 'my app.js', line: 3, column: 5 });
  expect(places.placeOf(frames.slice(1, 2))).toBeUndefined();
  expect(places.placeOf([frame('', 8, 2)])).toEqual({ path: 'index.html', line: 9, column: 3 });
});

it('finds the files of a site whose entry is in a folder, and of its pages without an extension', () => {
  const places = placesOf(files('dist/index.html', 'dist/about.html', 'dist/docs/index.html'), 'dist/index.html');
  expect(places.fileOf(HOME)).toBe('dist/index.html');
  expect(places.fileOf(`${HOME}about`)).toBe('dist/about.html');
  expect(places.fileOf(`${HOME}docs/`)).toBe('dist/docs/index.html');
  expect(places.fileOf(`${HOME}none`)).toBeUndefined();
  expect(places.nameOf(`${HOME}Docs/x.js`)).toBe('dist/Docs/x.js');
});

it('names the source through the source map beside a file, and no package', () => {
  const site = files('index.html', 'assets/index.js');
  site.set('assets/index.js.map', Buffer.from(JSON.stringify(MAP)));
  const places = placesOf(site);
  expect(places.placeOf([frame('assets/index.js', 0, 12)])).toEqual({
    path: 'src/My App.tsx',
    line: 5,
    column: 3,
  });
  expect(places.placeOf([frame('assets/index.js', 0, 2)])).toBeUndefined();
  site.set('assets/index.js.map', Buffer.from('{'));
  expect(placesOf(site).placeOf([frame('assets/index.js', 0, 12)])).toEqual({
    path: 'assets/index.js',
    line: 1,
    column: 13,
  });
});

it('finds a file whose path differs in its case, and the first mention of one', () => {
  const site = files('Images/Logo.png', 'index.html');
  site.set('style.css', Buffer.from('body {\n  background: url(images/logo.png);\n}'));
  const places = placesOf(site);
  expect(places.otherCase('images/logo.png')).toBe('Images/Logo.png');
  expect(places.mentionOf('images/logo.png')).toEqual({ path: 'style.css', line: 2 });
  expect(places.mentionOf('other.png')).toBeUndefined();
});
