import { PassThrough } from 'node:stream';
import { askSecret } from '../../../terminal/ask.ts';
import { InterruptedError } from '../../../terminal/program.ts';

it('hides what is typed before the prompt is loaded', async () => {
  const modes: boolean[] = [];
  const setRawMode = (mode: boolean) => modes.push(mode);
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode });
  const asked = askSecret('API key', { stdin: stdin as never, stderr: new PassThrough() });
  expect(modes).toEqual([true]);
  stdin.write('\x03');
  await expect(asked).rejects.toThrow(InterruptedError);
  expect(modes.at(-1)).toBe(false);
});
