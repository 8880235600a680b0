import { createHash } from 'node:crypto';
import type { Plan, ProjectImage } from '../../stored/projects/stored-project.ts';
import { imageTypeOf, pixelSize } from '../images/shown-images.ts';
import type { AttemptRequest } from '../providers/provider.ts';

/** Returns the beginning of the message to a model, which the attempts of a generation have in common. */
export function sharedMessage({ prompt, date, images, plan }: AttemptRequest): string {
  return [
    describeDate(date),
    quoteRequest(prompt),
    ...describeImages(images),
    ...(plan ? [describePlan(plan)] : []),
  ].join('\n\n');
}

/** Describes the plan in its own format. */
function describePlan({ files, shared }: Plan): string {
  const lines = files.map(({ path, purpose, group }) => {
    const number = group === undefined ? '' : `${group} `;
    return purpose === '' ? `${number}${path}` : `${number}${path}: ${purpose}`;
  });
  const text = [...(shared === '' ? [] : [shared]), ...lines].join('\n');
  return `The plan of the project:\n\n<plan>\n${text}\n</plan>`;
}

/** Models do not know the date. */
function describeDate(date: number): string {
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'UTC' });
  const day = new Intl.DateTimeFormat('en-GB', options);
  return `Today is ${weekday.format(date)}, ${day.format(date)}.`;
}

/**
 * Puts the request between two marks that it cannot contain, because they are made from its own hash: a prompt cannot
 * fake the end of the request.
 */
function quoteRequest(prompt: string): string {
  const mark = createHash('sha256').update(prompt).digest('hex').slice(0, 12);
  return `--- request ${mark} begins ---\n${prompt}\n--- request ${mark} ends ---`;
}

/** Describes the images that the caller gave. */
function describeImages(images: readonly ProjectImage[]): string[] {
  if (images.length === 0) return [];
  const lines = images.map(({ path, content }) => {
    const type = imageTypeOf(path);
    const size = typeof content === 'string' ? undefined : pixelSize(type, content);
    return `${path} (${type}${size ? `, ${size.width} × ${size.height} pixels` : ''})`;
  });
  return [`These images are given with the request, as files of the project:\n${list(lines)}`];
}

export function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
