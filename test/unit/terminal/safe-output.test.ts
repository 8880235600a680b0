import { stripVTControlCharacters } from 'node:util';
import { Option } from 'commander';
import { LiveLines } from '../../../terminal/live-lines.ts';
import { main, type Output } from '../../../terminal/program.ts';
import { jsonText, neutralized, SafeOutput } from '../../../terminal/safe-output.ts';
import { painter } from '../../../terminal/text.ts';
import { testRows } from '../../support/rows.ts';

/** A stream that keeps what is written. */
function output(isTTY: boolean): Output & { text: string } {
  return {
    isTTY,
    columns: 200,
    rows: 30,
    text: '',
    write(text: string) {
      this.text += text;
    },
  };
}

testRows([
  ['a\x1b[2Jb', 'a�[2Jb'],
  ['\x1b]0;title\x07', '�]0;title�'],
  ['\x1b]52;c;cm0=\x1b\\', '�]52;c;cm0=�\\'],
  ['\x9b2J\x90q\x9c', '�2J�q�'],
  ['a\rb\bc\x7fd\0e\v\f', 'a�b�c�d�e��'],
  ['safe\u202egpj.exe\u2066\u200f', 'safegpj.exe'],
  ['a\u2028b\u2029', 'a�b�'],
  ['two\r\nlines\tand \u{1f469}\u200d\u{1f680} é', 'two\nlines\tand \u{1f469}\u200d\u{1f680} é'],
  ['\x1b[8mhidden\x1b[31;8mtoo', '�[8mhidden�[31;8mtoo'],
])('leaves no control characters in a text', (text, expected) => {
  expect(neutralized(text, true)).toBe(expected);
});

it('keeps colors where the program shows them', () => {
  const styled = ['bold', 'dim', 'red', 'green', 'yellow'] as const;
  const text = styled.map((style) => painter(true)(style, style)).join(' ');
  const env: NodeJS.ProcessEnv = {};
  const [stream, pipe] = [output(true), output(false)];
  const safe = new SafeOutput(stream, env);
  safe.write(text);
  expect(stream.text).toBe(text);
  env.NO_COLOR = '1';
  safe.write(text);
  new SafeOutput(pipe, {}).write(text);
  expect(stream.text.slice(text.length) + pipe.text).not.toContain('\x1b');
});

it('guards everything that a command writes', async () => {
  const [stdout, stderr] = [output(true), output(true)];
  const command = main('ptp', (program, io) => {
    program
      .argument('<name>')
      .addOption(new Option('--width <px>').choices(['1']))
      .action((name) => {
        io.stdout.write(`${name}\n`);
        const live = new LiveLines(io.stderr, () => [`doing ${name}`]);
        live.print([`done ${name}`]);
        live.stop();
        throw new Error(name);
      });
  });
  for (const args of [['\x1b]0;x\x07'], ['x', '--width', '\x1b]0;y\x07'], ['--\x9d0;z'], ['x', '\x1bc']])
    await command(args, { stdout, stderr, env: {} });
  expect(stdout.text).toBe('�]0;x�\n');
  expect(stderr.text).toContain('done �]0;x�');
  expect(stripVTControlCharacters(stderr.text).replaceAll(/[\r\n]/g, '')).not.toMatch(/\p{Cc}/u);
});

it('escapes in JSON what controls a terminal', () => {
  const value = { name: '\x1b[2J \x9b \x7f \u2028 \u202e é' };
  const text = jsonText(value);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\u2028\p{Bidi_Control}]/u);
  expect(JSON.parse(text)).toEqual(value);
});
