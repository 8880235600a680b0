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
  'loops in a worker and in a frame': page(
    `for (let i = 0; i < 8; i++) new Worker(URL.createObjectURL(new Blob(['while (true);'])));`,
    '<iframe title="f" srcdoc="<script>while (true);</script>"></iframe>',
  ),
  'loads itself again and again': page('location.reload();'),
  'hangs in a click': page('', '<button onclick="while (true);">Press</button>'),
  'poisons what scripts of the look may call': page(
    `for (const name of ['querySelectorAll', 'getElementsByTagName']) Document.prototype[name] = () => { while (true); };
     JSON.stringify = Array.prototype.map = Promise.prototype.then = () => { while (true); };
     Element.prototype.getBoundingClientRect = () => { throw 1; };`,
    '<button>Press</button>',
  ),
};
