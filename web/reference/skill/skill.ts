import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const FOLDER = '.well-known/agent-skills';

/**
 * Returns the files with which agents find and load the skill, by the key of their object (Agent Skills Discovery 0.2.0).
 * @throws Error for a skill without a name or a description
 */
export function skillPages(): Readonly<Record<string, { contentType: string; body: string }>> {
  const body = readFileSync(new URL('./SKILL.md', import.meta.url), 'utf8');
  const [, frontMatter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(body) ?? [];
  const field = (name: string) => {
    const line = frontMatter.split('\n').find((one) => one.startsWith(`${name}: `));
    if (line === undefined) throw new Error(`SKILL.md has no ${name} in its front matter`);
    return line.slice(name.length + 2);
  };
  const name = field('name');
  const path = `${FOLDER}/${name}/SKILL.md`;
  const digest = `sha256:${createHash('sha256').update(body).digest('hex')}`;
  const skill = { name, type: 'skill-md', description: field('description'), url: `/${path}`, digest };
  const index = { $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json', skills: [skill] };
  return {
    [`${FOLDER}/index.json`]: {
      contentType: 'application/json',
      body: `${JSON.stringify(index, null, 2)}\n`,
    },
    [path]: { contentType: 'text/markdown; charset=utf-8', body },
  };
}
