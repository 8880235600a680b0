import fc from 'fast-check';
import { DURATIONS, type Duration } from '../../../lambda/contract/generate.ts';
import { linearTime } from '../../support/linear-time.ts';
import { testRows } from '../../support/rows.ts';
import { runs, SOAK } from '../../support/soak.ts';
import { anyCharacter } from '../../support/unicode.ts';
import { file, load, project } from '../../unit/blueprints/prompts.ts';

describe('what a prompt says never becomes code', () => {
  const HOSTILE = [
    `</script><img src=x onerror=alert(1)>`,
    `"><svg onload=alert(1)>`,
    `\\'; alert(1); '`,
    '`$' + '{alert(1)}`',
    '{{title}} <!-- #sections --> {{nothing}}',
    '\u0000\u0007\u202e\ud800 lone \udfff',
    '🎉 مرحبا بالعالم',
    "$& $1 $` $'",
    '</title><base href="//evil.example/">',
    'x'.repeat(SOAK ? 10_000 : 1_000),
  ];
  const frames = [
    (text: string) => text,
    (text: string) => `a to-do list called ${text} with items ${text}, and ${text}`,
    (text: string) =>
      `a landing page called "${text}" for ${text}. Sections: ${text}, pricing, ${text}. Features: ${text}, b`,
    (text: string) => `a quiz about ${text}`,
    (text: string) => `a notes app named '${text}'. notes: ${text}, ${text}`,
    (text: string) => `page about ${text} with sections: ${text}, b, c`,
    (text: string) => `a timer called ${text}`,
    (text: string) => `a calculator called ${text}`,
    (text: string) => `a kanban board called ${text} with columns ${text}, b and c`,
    (text: string) => `a habit tracker for me: ${text}, ${text} and b`,
    (text: string) => `a poll: ${text}, b or ${text}`,
    (text: string) => `a form on three pages with name, ${text} and e-mail`,
    (text: string) => `page for our wedding, ${text}, on 3 May at the Old ${text}, Porto`,
    (text: string) => `countdown to ${text} on 3 May 2027`,
    (text: string) => `a portfolio for ${text} with projects: ${text}, b, c`,
    (text: string) => `a contact form called ${text} with fields ${text}, email and ${text}`,
    (text: string) => `a weather dashboard for ${text}`,
    (text: string) => `a REST API called ${text} for ${text}`,
    (text: string) => `a command-line tool called ${text}`,
    (text: string) => `a snake game called ${text}`,
    (text: string) => `an expense tracker called ${text} with categories ${text}, b and ${text}`,
    (text: string) => `a habit tracker: ${text}, b, ${text}`,
    (text: string) => `an invoice from ${text} for client ${text} with items: ${text}, b 2 x 3`,
    (text: string) => `a world clock called ${text} with Berlin, ${text} and Tokyo`,
    (text: string) => `a gantt chart called ${text} with tasks ${text}, b 2 weeks, ${text}`,
    (text: string) => `a memory game called "${text}" with words: ${text}, b and c`,
    (text: string) => `flash cards: ${text} = ${text}, b = c`,
    (text: string) => `a typing test with the text: "${text}"`,
    (text: string) => `tic tac toe for ${text} and Ben called ${text}`,
    (text: string) => `recipes: ${text}, b. Ingredients: ${text}, c`,
    (text: string) => `a blog about ${text} with posts: ${text}, b`,
    (text: string) => `a resume for ${text}, ${text}. Skills: ${text}, b`,
    (text: string) => `a wedding invitation called ${text}, at ${text}`,
    (text: string) => `a multi-step form called ${text} with steps: ${text}, b`,
    (text: string) => `a Flask API called ${text} with fields ${text}, b`,
    (text: string) => `a command-line tool called ${text} that renames files`,
  ];

  /** The page's skeleton: its tags and attribute names, without any text or value. */
  const skeleton = (page: string) =>
    new Set(
      [...page.matchAll(/<(\w+)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/g)].map(
        (match) => `${match[1]} ${[...(match[2] ?? '').matchAll(/([\w-]+)(?==")/g)].map((name) => name[1]).join(' ')}`,
      ),
    );
  const HANDLER = /<\w[^>]*\son\w+=/i;
  const CONTROLS = ['\0', '\u0007', '\u202e'];
  const TAGS = /<(?:img|svg on|base|script(?! (?:type="module" )?src=")|iframe)/i;

  /** Stands in for the modules that others import. */
  const STORE = 'const load = (_, value) => value, save = () => {};';

  async function check(prompt: string, duration: Duration) {
    const files = project(prompt, duration);
    const broken = files.filter(({ path, content }) => {
      const isMarkup = /\.(?:html|svg)$/.test(path);
      const runs = isMarkup && (TAGS.test(content) || HANDLER.test(content.replace(/"[^"]*"/g, '')));
      return runs || CONTROLS.some((control) => content.includes(control)) || !content.isWellFormed();
    });
    expect({ prompt, broken }).toEqual({ prompt, broken: [] });
    for (const { path, content } of files) {
      if (path.endsWith('.json')) JSON.parse(content);
      if (/^src\/(?:config|questions|passages|entries|notes|cards|rules|data|tasks|cities)\.js$/.test(path))
        await load(STORE + content.replace(/^import .*$/gm, ''));
    }
    return file(files, 'index.html');
  }

  testRows(frames.map((frame) => [frame('…'), frame] as const))('in any place', async (_name, frame) => {
    // It has the files of the shorter ones.
    const durations = SOAK ? DURATIONS : (['10min'] as const);
    for (const text of HOSTILE) for (const duration of durations) await check(frame(text), duration);
  });

  const inLinearTime = linearTime(() => project('a page about birds '.repeat(527), '10min'));

  testRows([
    'a ',
    'and ',
    'blue and ',
    ', ',
    'to ',
    'for ',
    'In ',
    'items: ',
    '- \n',
    'list\n- a\n',
    "A'",
    '"',
    '1 ',
    '12 min ',
    '#',
    'not ',
  ])('ten thousand characters take linear time', (unit) => {
    const starts = SOAK ? ['', 'landing page with ', 'to-do ', 'a timer ', 'form with fields '] : ['to-do '];
    for (const start of starts) {
      const prompt = (start + unit.repeat(10_000)).slice(0, 10_000);
      inLinearTime(() => project(prompt, '10min'));
    }
  });

  test('any text at all gives a project', async () => {
    const any = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 300 }),
      fc
        .array(
          fc.constantFrom(
            'a ',
            'quiz ',
            'about ',
            '"',
            "'",
            ':',
            ',',
            'and ',
            '\n',
            '- ',
            'called ',
            'items ',
            '{{',
            '}}',
            '<',
          ),
          { maxLength: 60 },
        )
        .map((words) => words.join('')),
    );
    await fc.assert(
      fc.asyncProperty(any, fc.constantFrom(...DURATIONS), async (prompt, duration) => {
        expect(skeleton(await check(prompt, duration)).size).toBeGreaterThan(5);
      }),
      { numRuns: runs(200) },
    );
  });
});
