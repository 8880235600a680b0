const RATE = 22_050;
const BARS = 12;
const SCALE = [0, 2, 4, 5, 7, 9, 11];
/** The degrees of the scale that the bars stand on, and the notes of each chord that the melody runs through. */
const CHORDS = [[0, 5, 3, 4], [0, 3, 5, 4], [5, 3, 0, 4], [0, 4, 5, 3]];
const RUNS = [[0, 2, 4, 7, 4, 2, 4, 2], [7, 4, 2, 4, 7, 9, 7, 4], [0, 4, 2, 4, 7, 4, 9, 7]];

const frequency = (root, degree) => root * 2 ** (Math.floor(degree / 7) + SCALE[degree % 7] / 12);

/** Returns samples from -1 to 1 as a WAV file: one channel of 16 bits. */
function wav(samples) {
  const view = new DataView(new ArrayBuffer(44 + samples.length * 2));
  const text = (at, word) => [...word].forEach((char, index) => view.setUint8(at + index, char.charCodeAt(0)));
  text(0, 'RIFF');
  view.setUint32(4, 36 + samples.length * 2, true);
  text(8, 'WAVEfmt ');
  [[16, 16], [20, 1 | (1 << 16)], [24, RATE], [28, RATE * 2], [32, 2 | (16 << 16)]].forEach(([at, value]) => view.setUint32(at, value, true));
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, at) => view.setInt16(44 + at * 2, Math.max(-1, Math.min(1, sample)) * 32_767, true));
  return new Blob([view], { type: 'audio/wav' });
}

/** Returns a melody as a WAV file. The same number gives the same melody. */
export async function melody(number) {
  const beat = 60 / (88 + ((number * 17) % 40));
  const root = 220 * 2 ** (((number * 5) % 12) / 12 - 1);
  const context = new OfflineAudioContext(1, Math.ceil(RATE * (BARS * 4 * beat + 1)), RATE);
  const play = (type, degree, start, beats, level) => {
    const [note, gain] = [new OscillatorNode(context, { type, frequency: frequency(root, degree) }), new GainNode(context, { gain: 0 })];
    gain.gain.setTargetAtTime(level, start, 0.01);
    gain.gain.setTargetAtTime(0, start + (beats * beat) / 2, (beats * beat) / 5);
    note.connect(gain).connect(context.destination);
    note.start(start);
    note.stop(start + beats * beat * 1.5);
  };
  for (let bar = 0; bar < BARS; bar += 1) {
    const chord = bar === BARS - 1 ? 0 : CHORDS[number % CHORDS.length][bar % 4];
    const at = bar * 4 * beat;
    for (const degree of [0, 2, 4]) play('triangle', chord + degree, at, 4, 0.1);
    RUNS[(number + bar) % RUNS.length].forEach((degree, step) => play('sine', chord + degree + 7, at + (step * beat) / 2, 1, 0.16));
  }
  return wav((await context.startRendering()).getChannelData(0));
}
