/** A page to run scripts in. */
export const EMPTY_PAGE = '<!doctype html><title>Empty</title><link rel="icon" href="data:,">';

/** The storage of an origin: scripts that store an item named `mine`, and scripts that list the names of all items. */
export const TRACES: readonly (readonly [what: string, leave: string, see: string])[] = [
  ['localStorage', `localStorage.setItem('mine', '1')`, 'Object.keys(localStorage)'],
  [
    'IndexedDB',
    `new Promise((opened) => { indexedDB.open('mine').onsuccess = () => opened(); })`,
    'indexedDB.databases().then((all) => all.map(({ name }) => name))',
  ],
  ['CacheStorage', `caches.open('mine').then(() => {})`, 'caches.keys()'],
  [
    'files of the origin private file system',
    `navigator.storage.getDirectory().then((root) => root.getFileHandle('mine', { create: true })).then(() => {})`,
    `(async () => Array.fromAsync((await navigator.storage.getDirectory()).keys()))()`,
  ],
  ['a cookie', `document.cookie = 'mine=1; path=/'`, `document.cookie.match(/[^=; ]+(?==)/g) ?? []`],
  [
    'a service worker',
    `navigator.serviceWorker.register('sw.js', { scope: 'mine' }).then(() => {})`,
    `navigator.serviceWorker.getRegistrations().then((all) => all.map(({ scope }) => scope.split('/').at(-1)))`,
  ],
];
