// Lets the page open without a network. With one, every file comes from the server, so a new version shows at once.

/** What the page needs. Other files of this folder are added when they are first used. */
const FILES = '{{pageFiles}}';

/** Pages of one host share their caches, so the name is the address of this project. */
const CACHE = self.registration.scope;

async function store() {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES);
  await self.skipWaiting();
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const stored = await cache.match(request, { ignoreSearch: true });
    if (stored) return stored;
    throw error;
  }
}

self.addEventListener('install', (event) => event.waitUntil(store()));
self.addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  const isPart = url.startsWith(self.registration.scope) && !url.includes('/.data/');
  // What visitors share is never a stored answer.
  if (method === 'GET' && isPart) event.respondWith(answer(event.request));
});
