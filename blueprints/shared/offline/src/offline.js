// Browsers have service workers on https and on localhost only, and may refuse them in private windows.
// Everything but opening without a network works then too.
navigator.serviceWorker?.register(new URL('../service-worker.js', import.meta.url)).catch(() => {});
