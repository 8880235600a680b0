/** A tone falls from one frequency to another, noise is above a frequency (Hz); length in seconds, bursts at seconds. */
const SOUNDS = {
  kick: { tone: [165, 45], seconds: 0.45, level: 1 },
  snare: { tone: [250, 170], noise: 1500, seconds: 0.2, level: 0.5 },
  clap: { noise: 1100, bursts: [0, 0.012, 0.024], seconds: 0.16, level: 0.45 },
  closedHat: { noise: 8000, seconds: 0.06, level: 0.4 },
  openHat: { noise: 7000, seconds: 0.32, level: 0.35 },
  tom: { tone: [210, 95], seconds: 0.4, level: 0.7 },
  cowbell: { tone: [810, 800], shape: 'square', seconds: 0.25, level: 0.15 },
};
export const NAMES = Object.keys(SOUNDS);

const noise = new AudioBuffer({ length: 22_050, sampleRate: 44_100 });
noise.copyToChannel(Float32Array.from({ length: noise.length }, () => Math.random() * 2 - 1), 0);

/** Plays a sound at a time of the context's clock. */
export function hit(context, name, time) {
  const { tone, noise: above, shape, bursts = [0], seconds, level } = SOUNDS[name];
  const play = (source, end, at) => {
    const gain = new GainNode(context);
    gain.gain.setValueAtTime(level, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    end.connect(gain).connect(context.destination);
    source.start(at);
    source.stop(at + seconds);
  };
  if (tone) {
    const oscillator = new OscillatorNode(context, { type: shape });
    oscillator.frequency.setValueAtTime(tone[0], time);
    oscillator.frequency.exponentialRampToValueAtTime(tone[1], time + seconds / 3);
    play(oscillator, oscillator, time);
  }
  for (const burst of above ? bursts : []) {
    const source = new AudioBufferSourceNode(context, { buffer: noise });
    play(source, source.connect(new BiquadFilterNode(context, { type: 'highpass', frequency: above })), time + burst);
  }
}
