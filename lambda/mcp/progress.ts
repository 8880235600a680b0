import type { GenerationEvent } from '../../client/client.ts';
import { lookSentence } from './looks.ts';

/** Returns a function that describes an event of a generation in a sentence; undefined if it says nothing new. */
export function progressOf(): (event: GenerationEvent) => string | undefined {
  const said = new Set<string>();
  const complete = new Set<string>();
  let planned = 0;
  const sentence = ({ type, data }: GenerationEvent): string | undefined => {
    if (type === 'attempt' && !data.outcome) return `${data.model} began`;
    if (type === 'plan') {
      planned = data.files.length;
      return `${planned} files are planned`;
    }
    if (type === 'file') {
      complete.add(data.path);
      return `${data.path} is complete`;
    }
    // The result says so, too.
    if (type === 'look' && data.state === 'skipped') return undefined;
    if (type === 'look') return lookSentence(data)?.replace(/\.$/, '');
    if (type !== 'writing' || data.files.length === 0) return undefined;
    const count = data.files.length === 1 ? '1 file is' : `${data.files.length} files are`;
    const done = planned > complete.size ? `${complete.size} of ${planned}` : complete.size;
    return `${count} being written; ${done} complete`;
  };
  return (event) => {
    const text = sentence(event);
    // Attempts at the same time begin alike.
    if (text === undefined || said.has(text)) return undefined;
    said.add(text);
    return text;
  };
}
