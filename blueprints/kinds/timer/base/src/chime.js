let context;

/** Enables sound. Browsers allow that only in a click or key event. */
export function prepareChime() {
  context ??= new AudioContext();
  context.resume();
}

/** Plays two soft notes, synthesized so that there is no sound file to load. */
export function chime() {
  if (!context) return;
  [660, 880].forEach((frequency, index) => {
    const start = context.currentTime + index * 0.28;
    const gain = new GainNode(context, { gain: 0 });
    const note = new OscillatorNode(context, { frequency, type: 'sine' });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(0.25, start + 0.03);
    gain.gain.exponentialRampToValueAtTime(0.001, start + 0.9);
    note.connect(gain).connect(context.destination);
    note.start(start);
    note.stop(start + 1);
  });
}
