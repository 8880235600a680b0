import { testRows } from '../../support/rows.ts';
import { file, load, project } from './prompts.ts';

/** The exports of a module of a project, with what it imports from src/texts.js in its place. */
const moduleOf = async (prompt: string, name: string) => {
  const files = project(prompt);
  const texts = file(files, 'src/texts.js').replace(/^export /gm, '');
  return load(file(files, `src/${name}.js`).replace(/^import .*texts\.js';$/m, texts));
};
const names = (prompt: string, list: RegExp): string[] =>
  [...(list.exec(file(project(prompt), 'src/main.js'))?.[1] ?? '').matchAll(/'([^']*)'/g)].map(
    (match) => match[1] ?? '',
  );

describe('the fill of a drawing', () => {
  const ALPHA: Readonly<Record<string, number>> = { '#': 255, o: 230 };

  /** An image of the rows of a text: "#" is black, "o" nearly black, anything else empty. */
  const image = (rows: readonly string[]) => ({
    width: rows[0]?.length ?? 0,
    height: rows.length,
    data: Uint8ClampedArray.from(rows.flatMap((row) => [...row].flatMap((char) => [0, 0, 0, ALPHA[char] ?? 0]))),
  });
  const filled = async (rows: readonly string[], x: number, y: number) => {
    const { flood } = await moduleOf('a drawing app', 'flood');
    const picture = image(rows);
    flood(picture, x, y, [255, 0, 0, 255]);
    return rows.map((row, line) =>
      [...row].map((char, at) => (picture.data[(line * picture.width + at) * 4] === 255 ? 'R' : char)).join(''),
    );
  };

  test('ends at lines and edges', async () => {
    expect(await filled(['.#..', '##..', '...#'], 2, 0)).toEqual(['.#RR', '##RR', 'RRR#']);
  });

  test('covers the soft edge of a line, and does nothing without end on its own colour', async () => {
    expect(await filled(['#o.', '##.'], 0, 0)).toEqual(['RR.', 'RR.']);
    expect(await filled(['...'], 1, 0)).toEqual(['RRR']);
  });
});

describe('the beat of a drum machine', () => {
  test('has a step four times a beat, and swing delays every second one', async () => {
    const { stepSeconds, delay, toggled, PRESETS, STEPS } = await moduleOf('a drum machine', 'beat');
    expect(stepSeconds(120)).toBe(0.125);
    expect([0, 1, 2, 3].map((step) => delay(step, { tempo: 120, swing: 40 }))).toEqual([0, 0.05, 0, 0.05]);
    expect(toggled(toggled('.x..', 0), 1)).toBe('x...');
    for (const { name, tempo, swing, ...rows } of PRESETS) {
      expect([name, Object.values<string>(rows).every((row) => row.length === STEPS)]).toEqual([name, true]);
      expect(tempo + swing).toBeGreaterThan(60);
    }
  });

  testRows([
    ['a drum machine at 140 BPM', 'tempo: 140 ||', 'Math.max(0, -1)'],
    ['a hip-hop beat maker', 'tempo: 0 ||', 'Math.max(0, 1)'],
    ['a drum machine with a tempo of 999', 'tempo: 200 ||', 'Math.max(0, -1)'],
  ])('begins with its tempo and preset', (prompt, tempo, preset) => {
    expect(file(project(prompt), 'src/main.js')).toContain(tempo);
    expect(file(project(prompt), 'src/main.js')).toContain(preset);
  });
});

describe('the answers of a chat', () => {
  testRows([
    ['a chat app', 'Hello Ben', 'Hello! Good to hear from you.'],
    ['a chat app', 'Where are you?', 'Good question. Let me think about it.'],
    ['a chat app', 'History', 'Tell me more.'],
    ['eine Chat-App', 'Vielen Dank!', 'Gern geschehen!'],
  ])('follow the words of the message', async (prompt, message, answer) => {
    const { answerTo } = await moduleOf(prompt, 'answers');
    expect(answerTo(message, 0)).toBe(answer);
  });

  test('are of the people in the prompt', () => {
    const list = /load\('conversations', (\[[\s\S]*?\])\.map/;
    expect(names('a chat app between Alice and Bob', list)).toEqual(['Alice', 'Bob']);
    expect(names('a chat app with contacts Alice and Bob', list)).toEqual(['Alice', 'Bob']);
    expect(names('eine Chat-App mit Ada, Ben und Zoë', list)).toEqual(['Ada', 'Ben', 'Zoë']);
    expect(names('Slack clone with channels: general, design', list)).toEqual(['General', 'Design']);
    expect(names('a chat app with React and Tailwind', list)).toContain('Ben');
    expect(names('an AI chatbot', list)).toEqual(['Assistant']);
  });
});

test('a music player lists the songs of the prompt', () => {
  const list = /tracks = (\[[\s\S]*?\])\.map/;
  expect(names('a music player with songs: Blue Train, So What', list)).toEqual(['Blue Train', 'So What']);
});

describe('a form', () => {
  const labels = (prompt: string) =>
    [...file(project(prompt), 'index.html').matchAll(/<label for="(?!consent)[^>]*>([^<]+)/g)].map((match) =>
      match[1]?.trim(),
    );

  testRows([
    ['a contact form with fields name, city', ['Name', 'City']],
    ['formulario de contacto con nombre, correo y mensaje', ['Nombre', 'Correo', 'Mensaje']],
    ['feedback form for Olive & Thyme: name, email, rating', ['Name', 'Email', 'Rating']],
    ['Kontaktformular mit Name, E-Mail und Nachricht', ['Name', 'E-Mail', 'Nachricht']],
    ['a contact form with validation and a dark theme', ['Name', 'E-mail', 'Phone', 'Company', 'Message']],
    ['um formulário de contato', ['Nome', 'E-mail', 'Telefone', 'Empresa', 'Mensagem']],
  ])('has the fields of the prompt', (prompt, expected) => {
    expect(labels(prompt)).toEqual(expected);
  });

  test('names what it is for', () => {
    expect(file(project('feedback form for our restaurant Olive & Thyme'), 'index.html')).toContain(
      'Restaurant Olive &amp; Thyme',
    );
  });
});
