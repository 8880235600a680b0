/** Where a page tries to get to. */
export interface Targets {
  /** Of listeners on the loopback interface. */
  readonly tcp: number;
  readonly udp: number;
  /** Absolute path of a file. */
  readonly file: string;
}

/**
 * Returns a site that asks for everything it should not get, in all ways that browsers have, and then reports what it got by an
 * error: `escapes: []`.
 */
export function escapingSite(targets: Targets): Record<string, string> {
  return { 'index.html': page(targets), 'escape.js': script(targets), 'worker.js': worker(targets) };
}

const hosts = ['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::ffff:127.0.0.1]', '2130706433', 'a.localhost'];

function urls({ tcp }: Targets): string[] {
  return [...hosts.map((host) => `http://${host}:${tcp}/`), `https://127.0.0.1:${tcp}/`];
}

function page(targets: Targets): string {
  const { tcp, file } = targets;
  const url = `http://127.0.0.1:${tcp}`;
  return `<!doctype html><html lang="en"><head><title>Escape</title>
<link rel="preconnect" href="${url}"><link rel="dns-prefetch" href="http://localhost:${tcp}">
<link rel="prefetch" href="${url}/prefetch"><link rel="preload" as="image" href="${url}/preload">
<link rel="modulepreload" href="${url}/module.js"><link rel="manifest" href="${url}/manifest.json">
<link rel="icon" href="${url}/favicon.ico"><link rel="stylesheet" href="${url}/style.css">
<meta http-equiv="Content-Security-Policy-Report-Only" content="script-src 'none'; report-uri ${url}/csp">
<script type="speculationrules">{"prefetch":[{"urls":["${url}/s"]}],"prerender":[{"urls":["${url}/p"]}]}</script>
<style>@import "${url}/import.css"; @font-face { font-family: f; src: url(${url}/font.woff2) } body { font-family: f; background: url(${url}/b.png) }</style>
</head><body><h1>Escape</h1><p>A page with enough text to be one.</p>
<img src="${url}/image.png" alt="" srcset="http://localhost:${tcp}/2x.png 2x"><video src="${url}/v.mp4" poster="${url}/poster.png"></video>
<iframe title="a" src="${url}/frame"></iframe><iframe title="b" src="file://${file}"></iframe>
<iframe title="c" src="chrome://version"></iframe><iframe title="d" src="view-source:file://${file}"></iframe>
<iframe title="e" src="http://169.254.169.254/latest/meta-data/"></iframe>
<iframe title="f" sandbox="allow-scripts" srcdoc="<script>fetch('${url}/srcdoc'); new Image().src = '${url}/img'</script>"></iframe>
<iframe title="g" src="data:text/html,<script>fetch('${url}/data'); new WebSocket('ws://127.0.0.1:${tcp}/')</script>"></iframe>
<object data="${url}/object"></object><embed src="${url}/embed">
<form action="${url}/form" method="post"><input aria-label="Name" name="n"><button>Send</button></form>
<a href="/d/look/" ping="${url}/ping">Ping</a> <a href="${url}/link">Link</a> <a href="file://${file}">File</a>
<a href="${url}/window" target="_blank">Window</a> <a href="${url}/download" download>Download</a>
<script src="escape.js"></script></body></html>`;
}

function script(targets: Targets): string {
  const { tcp, udp, file } = targets;
  const url = `http://127.0.0.1:${tcp}`;
  return `
const got = [];
const attempt = async (name, act) => {
  try { if (await act()) got.push(name); } catch {}
};
const opened = (channel) => new Promise((end) => { channel.onopen = () => end(true); channel.onerror = channel.onclose = () => end(false); });
const servers = ['stun:127.0.0.1:${udp}', 'turn:127.0.0.1:${udp}?transport=udp', 'turn:127.0.0.1:${tcp}?transport=tcp', 'stun:localhost:${udp}'];
const connect = async (Peer) => {
  const peer = new Peer({ iceServers: [{ urls: servers, username: 'a', credential: 'b' }] });
  peer.createDataChannel('c');
  await peer.setLocalDescription(await peer.createOffer());
};
const all = [];
for (const target of ${JSON.stringify(urls(targets))}) {
  all.push(attempt(target, () => fetch(target, { mode: 'no-cors', keepalive: true }).then(() => true)));
  all.push(attempt('ws ' + target, () => opened(new WebSocket(target.replace('http', 'ws')))));
  all.push(attempt('import ' + target, () => import(target).then(() => true)));
}
for (const target of ['file://${file}', 'chrome://version', 'view-source:file://${file}', 'http://169.254.169.254/latest/api/token', 'http://169.254.170.2/v2/credentials'])
  all.push(attempt(target, () => fetch(target).then((response) => response.text()).then((text) => text || true)));
all.push(attempt('beacon', () => navigator.sendBeacon('${url}/beacon', 'x') && false));
all.push(attempt('events', () => opened(new EventSource('${url}/events'))));
all.push(attempt('xhr', () => { const x = new XMLHttpRequest(); x.open('GET', '${url}/sync', false); x.send(); return x.status === 200; }));
all.push(attempt('transport', () => new WebTransport('https://127.0.0.1:${udp}/').ready.then(() => true)));
all.push(attempt('rtc', () => connect(RTCPeerConnection)));
all.push(attempt('rtc in a frame', async () => {
  const frame = document.body.appendChild(document.createElement('iframe'));
  await connect(frame.contentWindow.RTCPeerConnection);
  frame.contentWindow.open('${url}/frame-window');
}));
all.push(attempt('service worker', () => navigator.serviceWorker.register('worker.js').then((registered) => !!registered)));
all.push(attempt('window', () => { open('${url}/open'); }));
all.push(attempt('link', () => { document.querySelector('[target=_blank]').click(); }));
all.push(attempt('form', () => { const form = document.createElement('form'); form.action = '${url}/form2'; form.method = 'post'; form.target = '_blank'; document.body.append(form); form.submit(); }));
new Worker('worker.js'); new SharedWorker('worker.js');
new Worker(URL.createObjectURL(new Blob(["fetch('${url}/blob'); new WebSocket('ws://127.0.0.1:${tcp}/blob')"])));
new Worker("data:text/javascript,fetch('${url}/data-worker')");
addEventListener('pagehide', () => { navigator.sendBeacon('${url}/bye', 'x'); fetch('${url}/bye', { keepalive: true, method: 'POST', body: 'x' }); });
Promise.race([Promise.all(all), new Promise((end) => setTimeout(end, 1500))]).then(() => {
  throw new Error('escapes: ' + JSON.stringify(got));
});`;
}

function worker({ tcp, udp }: Targets): string {
  return `
for (const target of ['http://127.0.0.1:${tcp}/worker', 'http://localhost:${tcp}/worker']) {
  fetch(target, { mode: 'no-cors' }).catch(() => {});
  try { new WebSocket(target.replace('http', 'ws')); } catch {}
  try { importScripts(target); } catch {}
  try { new EventSource(target); } catch {}
}
try { new WebTransport('https://127.0.0.1:${udp}/'); } catch {}
addEventListener('fetch', () => {});`;
}
