/**
 * Runs in every frame before the scripts of the page: gives it a clock that only `advance` moves, chance that repeats
 * itself, and nothing of what would wait for a person.
 * @param {number} start the time at which every document begins, in milliseconds since 1970
 * @param {number} patience how many times as long as usual the page has for what takes time
 */
export function pretend(start, patience) {
  const LONG_TASK_MS = 50;
  /** A script that reads the clock so often in a task waits for it; one that is only slow, as on a busy machine, does not. */
  const WAITING_READS = 1_000;
  const FRAME_MS = 50;
  const BUSY_MS = 3_000 * patience;
  /** In which timers fire: frames that take long to draw are left out, as browsers leave them out. */
  const FIRING_MS = 2_000 * patience;
  const realNow = performance.now.bind(performance);
  const realTimeout = window.setTimeout.bind(window);
  const RealDate = Date;
  const messages = new MessageChannel();
  const posted = [];
  messages.port1.onmessage = () => posted.shift()();
  const post = (task) => {
    posted.push(task);
    messages.port2.postMessage(0);
  };

  let now = 0;
  let task;
  // A script may wait in a loop for time to pass: within a long task, it does.
  const read = () => {
    if (task === undefined) {
      task = { began: realNow(), at: now, reads: 0 };
      post(() => {
        task = undefined;
      });
    }
    task.reads++;
    const spent = realNow() - task.began;
    const least = task.reads > WAITING_READS ? LONG_TASK_MS : 10 * LONG_TASK_MS;
    if (spent > least) now = Math.max(now, task.at + spent);
    return now;
  };
  const wall = () => start + Math.floor(read());

  RealDate.now = wall;
  window.Date = new Proxy(RealDate, {
    construct: (target, given, type) => Reflect.construct(target, given.length > 0 ? given : [wall()], type),
    apply: () => new RealDate(wall()).toString(),
  });
  RealDate.prototype.constructor = window.Date;
  performance.now = read;
  Object.defineProperty(performance, 'timeOrigin', { value: start });

  const timers = new Map();
  let last = 0;
  const add = (run, at, every) => {
    last += 1;
    timers.set(last, { run, at, every });
    return last;
  };
  // As browsers, by the conversion to a 32-bit integer.
  const delayOf = (delay) => Math.max(1, delay | 0);
  const callOf = (callback, given) => () =>
    typeof callback === 'function' ? callback.apply(window, given) : realTimeout(String(callback));
  const drop = (id) => void timers.delete(Number(id));
  window.setTimeout = (callback, delay, ...given) => add(callOf(callback, given), now + delayOf(delay));
  window.setInterval = (callback, delay, ...given) =>
    add(callOf(callback, given), now + delayOf(delay), delayOf(delay));
  window.requestAnimationFrame = (callback) => add(() => callback(read()), (Math.floor(now / FRAME_MS) + 1) * FRAME_MS);
  window.requestIdleCallback = (callback) =>
    add(() => callback({ didTimeout: false, timeRemaining: () => 10 }), now + 1);
  for (const name of ['Timeout', 'Interval']) window[`clear${name}`] = drop;
  window.cancelAnimationFrame = drop;
  window.cancelIdleCallback = drop;

  const nextUntil = (until) => {
    let next;
    for (const entry of timers)
      if (entry[1].at <= until && (next === undefined || entry[1].at < next[1].at)) next = entry;
    return next;
  };
  const nextTask = () => new Promise(post);
  let busyMs = BUSY_MS;
  /** Lets tasks that wait run, and waits for what the browser does outside of scripts. */
  const settle = async () => {
    for (let i = 0; i < 3; i++) await nextTask();
    const begun = realNow();
    while (busy > 0 && realNow() - begun < busyMs) {
      await new Promise((later) => realTimeout(later, 1));
      await nextTask();
    }
    busyMs -= realNow() - begun;
  };
  /** Lets time pass: timers fire as if they had waited, each in a task of its own, at most `most` of them. */
  const advance = async (ms, most) => {
    const until = now + ms;
    const begun = realNow();
    for (let fired = 0; fired < most && realNow() - begun < FIRING_MS; fired++) {
      const next = nextUntil(until);
      if (next === undefined) break;
      const [id, timer] = next;
      now = Math.max(now, timer.at);
      if (timer.every === undefined) timers.delete(id);
      else timer.at = now + timer.every;
      await new Promise((done) =>
        post(() => {
          done();
          timer.run();
        }),
      );
    }
    now = Math.max(now, until);
    await settle();
    for (let i = 0; i < window.frames.length && i < 5; i++)
      try {
        await window.frames[i][Symbol.for('look')]?.advance(ms, most);
      } catch {
        // A frame of another origin.
      }
  };
  Object.defineProperty(window, Symbol.for('look'), { value: { advance, settle } });

  let busy = 0;
  const begin = () => {
    let isOver = false;
    busy++;
    return () => {
      if (!isOver) busy--;
      isOver = true;
    };
  };
  /** Counts a method as busy until its promise is settled, or its request or transaction has ended. */
  const count = (prototype, name) => {
    const method = prototype?.[name];
    if (typeof method !== 'function') return;
    prototype[name] = function (...given) {
      const result = method.apply(this, given);
      const end = begin();
      if (typeof result?.then === 'function') result.then(end, end);
      else
        for (const event of ['success', 'error', 'complete', 'abort', 'blocked']) result.addEventListener(event, end);
      return result;
    };
  };
  count(window, 'fetch');
  count(window, 'createImageBitmap');
  count(window.IDBFactory?.prototype, 'open');
  count(window.IDBDatabase?.prototype, 'transaction');
  count(window.OfflineAudioContext?.prototype, 'startRendering');
  count(window.BaseAudioContext?.prototype, 'decodeAudioData');
  count(window.HTMLImageElement?.prototype, 'decode');
  for (const name of ['text', 'arrayBuffer']) count(window.Blob?.prototype, name);
  for (const name of ['text', 'arrayBuffer', 'json', 'blob']) count(window.Response?.prototype, name);
  for (const name of ['digest', 'encrypt', 'decrypt', 'deriveKey', 'deriveBits', 'importKey'])
    count(window.SubtleCrypto?.prototype, name);

  let seed = 20260115;
  // https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32
  const random = () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = random() * 256;
    return array;
  };
  Math.random = random;
  if (window.Crypto) {
    Crypto.prototype.getRandomValues = fill;
    const hex = () => Math.floor(random() * 16).toString(16);
    Crypto.prototype.randomUUID = () => 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replace(/x/g, hex);
  }

  // What has no place in a look: it does nothing, and whatever is read of it is that again.
  const nothing = new Proxy(() => {}, {
    get: (_, name) => {
      if (name === 'then') return undefined;
      if (name === Symbol.toPrimitive) return () => '';
      return name === 'closed' ? false : nothing;
    },
    set: () => true,
    apply: () => nothing,
    construct: () => nothing,
  });
  window.open = () => nothing;
  window.print = () => {};
  // In a frame without an origin, reading navigator.serviceWorker throws.
  if (globalThis.ServiceWorkerContainer) ServiceWorkerContainer.prototype.register = () => new Promise(() => {});
}
