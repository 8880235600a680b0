import { createHash } from 'node:crypto';
import { servicePages } from '../../../../web/pages.ts';

const INDEX = '.well-known/agent-skills/index.json';

it('has an index of the skill, with the digest of the file that is served', () => {
  const { [INDEX]: file } = servicePages();
  expect(file?.contentType).toBe('application/json');
  const index = JSON.parse(String(file?.body));
  expect(index).toEqual({
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: [
      {
        name: 'prompt-to-project',
        type: 'skill-md',
        description: expect.any(String),
        url: '/.well-known/agent-skills/prompt-to-project/SKILL.md',
        digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      },
    ],
  });
  const [{ url, digest, name, description }] = index.skills;
  const skill = servicePages()[url.slice(1)];
  expect(skill?.contentType).toBe('text/markdown; charset=utf-8');
  expect(digest).toBe(`sha256:${createHash('sha256').update(String(skill?.body)).digest('hex')}`);
  // The limits of the format: agents load the description of every skill, and the body of those that they use.
  expect(description.length).toBeLessThanOrEqual(1_024);
  expect(String(skill?.body)).toContain(`---\nname: ${name}\ndescription: ${description}\n`);
  expect(String(skill?.body).split('\n').length).toBeLessThan(500);
});
