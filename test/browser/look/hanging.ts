type Pages = Readonly<Record<string, Readonly<Record<string, string>>>>;

const page = (script: string, body = '') => ({
  'index.html': `<!doctype html><html lang="en"><head><title>Page</title></head><body><h1>Page</h1><p>Some text to read.</p>${body}<script>${script}</script></body></html>`,
});

/** Pages that take all there is, each in another way. */
export const HANGING: Pages = {
  'allocates outside of the heap of JavaScript': page(
    'const kept = []; setInterval(() => { for (let i = 0; i < 20; i++) kept.push(new Uint8Array(1e7).fill(1)); });',
  ),
  'opens windows, dialogs and downloads without an end': page(
    `const open1 = () => { const a = document.createElement('a'); a.href = 'data:text/html,x'; a.target = '_blank'; a.click(); };
     const save = () => { const a = document.createElement('a'); a.href = URL.createObjectURL(new Blob(['x'])); a.download = 'x'; a.click(); };
     setInterval(() => { for (let i = 0; i < 100; i++) { open(''); open1(); save(); } alert(1); print(); }, 10);`,
  ),
};

/** What is tried rarely: each takes up to the time of a look. */
export const SOAKED: Pages = {
  'loops while it loads': page('while (true);'),
  'loops in a worker and in a frame': page(
    `for (let i = 0; i < 8; i++) new Worker(URL.createObjectURL(new Blob(['while (true);'])));`,
    '<iframe title="f" srcdoc="<script>while (true);</script>"></iframe>',
  ),
  'allocates in the heap of JavaScript': page(
    'const kept = []; while (true) kept.push(new Array(1e5).fill({}));',
  ),
  'throws and logs as fast as it can': page(
    `let i = 0; setInterval(() => { for (let k = 0; k < 1e3; k++) { console.error('e' + i++); Promise.reject(new Error('r' + i)); fetch('https://a.invalid/' + i).catch(() => {}); } });`,
  ),
  'shows dialogs in a loop': page('while (true) { alert(1); confirm(2); prompt(3); }'),
  'does not want to be left': page(
    `addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'x'; while (true); });`,
    '<a href="index.html">Again</a>',
  ),
  'loads itself again and again': page('location.reload();'),
  'goes back and forth': {
    ...page("location.href = 'other.html';"),
    'other.html': '<!doctype html><meta http-equiv="refresh" content="0;url=index.html">',
  },
  'redirects in a circle': { ...page("location.href = 'a';"), _redirects: '/a /b 302\n/b /a 302\n' },
  'leaves for pages of the browser': page(
    `for (const url of ['chrome://crash', 'chrome://gpuhang', 'file:///etc/passwd', 'about:blank', 'javascript:while(true);'])
       setTimeout(() => { location.href = url; });`,
  ),
  'writes history without an end': page(
    'setInterval(() => { for (let i = 0; i < 1e4; i++) history.pushState(i, ""); }, 1);',
  ),
  'frames itself': page(
    '',
    '<iframe title="f" src="index.html?x"></iframe><iframe title="g" src="index.html?y"></iframe>',
  ),
  'adds a million elements': page(
    `const add = () => { for (let i = 0; i < 1e5; i++) document.body.append(document.createElement('button')); requestAnimationFrame(add); }; add();`,
  ),
  'draws what the graphics card can not': page(
    `for (let i = 0; i < 50; i++) { const c = document.createElement('canvas'); c.width = c.height = 8192; const g = c.getContext('webgl2') ?? c.getContext('2d'); document.body.append(c); g.clear?.(16384); g.fillRect?.(0, 0, 8192, 8192); }`,
  ),
  'fills the storage': page(
    `const big = 'x'.repeat(5e6); let i = 0; setInterval(async () => { try { localStorage['k' + i] = big; } catch {} const cache = await caches.open('c'); await cache.put('/' + i++, new Response(big.repeat(10))); }, 1);`,
  ),
  'answers nothing after its first second': page(
    'setTimeout(() => { while (true); }, 1000);',
    '<button>Press</button>',
  ),
  'hangs in a click': page('', '<button onclick="while (true);">Press</button>'),
  'poisons what scripts of the look may call': page(
    `for (const name of ['querySelectorAll', 'getElementsByTagName']) Document.prototype[name] = () => { while (true); };
     JSON.stringify = Array.prototype.map = Promise.prototype.then = () => { while (true); };
     Element.prototype.getBoundingClientRect = () => { throw 1; };`,
    '<button>Press</button>',
  ),
};
