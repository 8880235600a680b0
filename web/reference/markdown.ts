import type { Block, Group, Item, Section } from './content.ts';
import { samplesOf } from './examples.ts';
import { BASE } from './languages.ts';
import type { OperationSection } from './operations.ts';

/** Returns a page as Markdown. Its links to sections lead to the page as HTML. */
export function markdownPage(title: string, groups: readonly Group[]): string {
  const parts = groups.flatMap((group) => [
    ...(group.title ? [`## ${group.title}`] : []),
    ...group.sections.flatMap(sectionParts),
  ]);
  const note = `\`${BASE}\` is the base URL of the service: the origin of this file.`;
  return `${[`# ${title}`, note, ...parts].join('\n\n')}\n`.replaceAll('](#', '](/docs#');
}

function sectionParts(section: Section | OperationSection): string[] {
  const blocks = section.blocks.flatMap(blockParts);
  if (!('operation' in section)) return [`## ${section.title}`, ...blocks];
  const { method, path } = section.operation;
  return [`### ${section.title}`, `\`${method} ${path}\``, ...blocks];
}

function blockParts(block: Block): string[] {
  if ('text' in block) return [block.text];
  if ('code' in block) return [fence(block.language, block.code)];
  if ('items' in block) {
    const list = block.items.flatMap((item) => lines(item, '')).join('\n');
    return block.title ? [`${block.title}:`, list] : [list];
  }
  const { curl, client } = samplesOf(block.id, block.samples, BASE);
  return [fence('shell', curl), fence('javascript', client)];
}

const fence = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``;

function lines({ name, type, presence, meaning, nested = [] }: Item, indent: string): string[] {
  const notes = [type, presence].filter(Boolean).join(', ');
  const own = `${indent}- ${name}${notes && ` (${notes})`}${meaning && `: ${meaning}`}`;
  const fields = nested.flatMap((some, at) => [
    ...(at > 0 ? [`${indent}  - or, instead:`] : []),
    ...some.flatMap((item) => lines(item, `${indent}  `)),
  ]);
  return [own, ...fields];
}
