import { ApiError } from '../../../../lambda/contract/errors.ts';
import { generationResource } from '../../../../lambda/generation/api/resource.ts';
import type { SiteFile } from '../../../../lambda/sites/accept-files.ts';
import { packSite } from '../../../../lambda/sites/archive.ts';
import type { BuildInput } from '../../../../lambda/sites/source/build.ts';
import { builtSite } from '../../../../lambda/sites/source/build.ts';
import type { Builder } from '../../../../lambda/stored/builds/builder.ts';
import { startStores } from '../../../support/generation.ts';
import { writeAnswers } from '../../../support/written-projects.ts';

const PAGE = '<!doctype html>\n<title>Timer</title>\n<div id="root"></div>\n';
const MANIFEST = '{ "dependencies": { "react": "^19.0.0", "react-dom": "^19.0.0" } }\n';
const SOURCE = {
  'index.html': `${PAGE}<script type="module" src="/src/main.tsx"></script>\n`,
  'package.json': MANIFEST,
  'src/main.tsx': "import { Github } from 'lucide-react';\nexport default <Github />;\n",
};
const PLAIN = {
  'index.html': `${PAGE}<script type="module" src="./main.js"></script>\n`,
  'main.js': 'run();\n',
};

const BROKEN = new ApiError('build_failed', 'src/main.tsx:1:10: "Github" is not exported by lucide-react 1.75.0', {
  body: {
    problems: [
      {
        path: 'src/main.tsx',
        line: 1,
        column: 10,
        message: '"Github" is not exported by lucide-react 1.75.0',
      },
      { message: 'The package "leftpad" is not declared' },
    ],
  },
});
const SENTENCES = [
  'src/main.tsx:1:10: "Github" is not exported by lucide-react 1.75.0',
  'The package "leftpad" is not declared',
];
const SITE = builtSite({ files: 1, bytes: 1, packages: {}, warnings: [] }, packSite([]));

const stores = await startStores();

const answerOf = (files: Readonly<Record<string, string>>) => {
  const written = Object.entries(files).map(([path, content]) => `<file path="${path}">\n${content}</file>\n`);
  return `${written.join('')}<done/>\n`;
};
const EDIT = `<edit path="src/main.tsx">
<<<<<<< SEARCH
import { Github } from 'lucide-react';
=======
import { GitFork as Github } from 'lucide-react';
>>>>>>> REPLACE
</edit>
<done/>
`;

/** Generates with a model that gives these answers, one after another, and a builder with these results. */
async function generate(
  answers: readonly string[],
  results: readonly (ApiError | Error | typeof SITE)[],
  base?: Record<string, string>,
) {
  const inputs: BuildInput[] = [];
  const tenants: string[] = [];
  const builder: Builder = {
    async build(tenant, input) {
      tenants.push(tenant);
      inputs.push(input);
      const result = results[inputs.length - 1] ?? SITE;
      if (result instanceof Error) throw result;
      return result;
    },
  };
  const files =
    base && Object.entries(base).map(([path, text]): SiteFile => ({ path, content: text, size: text.length }));
  const { files: project, ...written } = await writeAnswers(stores, answers, {
    ports: { builder },
    ...(files && { given: { parent: { files } } }),
  });
  return { ...written, project, inputs, tenants };
}

it('sends what a build finds back once, with the instructions for source, and builds the correction', async () => {
  const { generation, project, inputs, tenants, requests, attempts } = await generate(
    [answerOf(SOURCE), EDIT],
    [BROKEN],
  );
  expect(attempts).toEqual(['write succeeded', 'repair succeeded']);
  expect(requests.map(({ problems }) => problems)).toEqual([[], SENTENCES]);
  expect(requests.map(({ source }) => source)).toEqual([false, true]);
  expect(generation).toMatchObject({ status: 'succeeded', problems: [] });
  expect(tenants).toEqual([`generation:${generation.id}`, `generation:${generation.id}`]);
  const [first, second] = inputs.map(({ files }) => Buffer.from(files.get('src/main.tsx') ?? '').toString());
  expect(first).toBe(SOURCE['src/main.tsx']);
  expect(second).toBe(project.get('src/main.tsx'));
  expect(second).toContain('GitFork');
  // What an attempt stores for the next one is no part of a response.
  expect(JSON.stringify(generationResource(generation))).not.toContain('unbuilt');
});

it('delivers a project that still does not build with what is wrong', async () => {
  const { generation, attempts } = await generate([answerOf(SOURCE), EDIT], [BROKEN, BROKEN]);
  expect(attempts).toEqual(['write succeeded', 'repair succeeded dropped']);
  expect(generation).toMatchObject({ status: 'succeeded', problems: SENTENCES });
});

it('keeps what is wrong if the correction fails', async () => {
  const { generation, attempts } = await generate([answerOf(SOURCE), 'I cannot do that.'], [BROKEN]);
  expect(attempts).toEqual(['write succeeded', 'repair unusable']);
  expect(generation).toMatchObject({ status: 'succeeded', problems: SENTENCES });
});

it('goes on without a build that is unavailable', async () => {
  const unavailable = new ApiError('unavailable', 'The registry is unreachable');
  for (const error of [unavailable, new Error('AccessDenied')]) {
    const { generation, attempts, inputs } = await generate([answerOf(SOURCE)], [error]);
    expect({ attempts, builds: inputs.length }).toEqual({ attempts: ['write succeeded'], builds: 1 });
    expect(generation).toMatchObject({ status: 'succeeded', problems: [] });
  }
});

it('sends back that a project is too large to be built', async () => {
  const large = new ApiError('payload_too_large', 'The project needs 412 packages: at most 400 are accepted');
  const { requests } = await generate([answerOf(SOURCE), EDIT], [large]);
  expect(requests[1]?.problems).toEqual([large.message]);
});

it('builds nothing but whole source', async () => {
  const plain = await generate([answerOf(PLAIN)], []);
  const cut = await generate([answerOf(SOURCE).replace('<done/>\n', ''), ''], []);
  expect([plain, cut].map(({ inputs }) => inputs.length)).toEqual([0, 0]);
  expect(plain.generation.status).toBe('succeeded');
});

it('gives a build the variables of `.env` files, but not the files', async () => {
  const env = { '.env': 'VITE_NAME=Ada\nSECRET=s\n', '.env.local': 'VITE_NAME=local\n' };
  const { inputs } = await generate([answerOf({ ...SOURCE, ...env })], []);
  expect(inputs.map(({ env: variables }) => variables)).toEqual([{ VITE_NAME: 'local' }]);
  expect([...(inputs[0]?.files.keys() ?? [])].toSorted()).toEqual(Object.keys(SOURCE).toSorted());
});

it('builds a change of source, with the instructions for source', async () => {
  const { requests, inputs, generation } = await generate([EDIT], [], SOURCE);
  expect(requests.map(({ source, edits }) => ({ source, edits }))).toEqual([{ source: true, edits: true }]);
  expect(Buffer.from(inputs[0]?.files.get('src/main.tsx') ?? '').toString()).toContain('GitFork');
  expect(generation.status).toBe('succeeded');
});
