/** The number of steps in a pattern; four are a beat. */
export const STEPS = 16;
export const EMPTY = '.'.repeat(STEPS);

/** Patterns to start from: their tempo in beats per minute, swing in percent, and the steps of each sound. */
export const PRESETS = [
  { name: 'House', tempo: 124, swing: 0, kick: 'x...x...x...x...', clap: '....x.......x...', closedHat: 'x.x.x.x.x.x.x.x.', openHat: '..x...x...x...x.' },
  { name: 'Hip-Hop', tempo: 90, swing: 30, kick: 'x......x..x.....', snare: '....x.......x...', closedHat: 'x.x.x.x.x.x.x.xx' },
  { name: 'Rock', tempo: 112, swing: 0, kick: 'x.......x.x.....', snare: '....x.......x...', closedHat: 'x.x.x.x.x.x.x.x.', tom: '.............xxx' },
  { name: 'Bossa Nova', tempo: 132, swing: 0, kick: 'x..xx..xx..xx..x', closedHat: 'xxxxxxxxxxxxxxxx', cowbell: 'x..x..x...x..x..' },
];

/** Seconds from one step to the next. */
export const stepSeconds = (tempo) => 60 / tempo / 4;

/** Seconds by which swing delays a step: every second one, by a share of its length. */
export const delay = (step, { tempo, swing }) => (step % 2) * (swing / 100) * stepSeconds(tempo);

/** Returns a row of steps with one of them changed. */
export const toggled = (row, at) => row.slice(0, at) + (row[at] === 'x' ? '.' : 'x') + row.slice(at + 1);
