/** A page in which scripts are tried out. */
export const EMPTY_PAGE = '<!doctype html><title>Empty</title><link rel="icon" href="data:,">';

/** What a page can leave in a browser: how it does so under the name `mine`, and the names that a page sees there. */
export const TRACES: readonly (readonly [what: string, leave: string, see: string])[] = [
  ['localStorage', `localStorage.setItem('mine', '1')`, 'Object.keys(localStorage)'],
  [
    'IndexedDB',
    `new Promise((opened) => { indexedDB.open('mine').onsuccess = () => opened(); })`,
    'indexedDB.databases().then((all) => all.map(({ name }) => name))',
  ],
  ['CacheStorage', `caches.open('mine').then(() => {})`, 'caches.keys()'],
  ['a cookie', `document.cookie = 'mine=1; path=/'`, `document.cookie.match(/[^=; ]+(?==)/g) ?? []`],
  [
    'a service worker',
    `navigator.serviceWorker.register('sw.js', { scope: 'mine' }).then(() => {})`,
    `navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope.split('/').at(-1)))`,
  ],
];
