import { assetRequest } from '../../../lambda/contract/assets.ts';
import { deployRequest } from '../../../lambda/contract/deploy.ts';
import { characters, generateRequest, truncate } from '../../../lambda/contract/generate.ts';
import { settingsRequest } from '../../../lambda/contract/page-settings.ts';
import { listQuery } from '../../../lambda/contract/queries.ts';
import { testRows } from '../../support/rows.ts';

const errorOf = (schema: typeof generateRequest | typeof deployRequest | typeof assetRequest, body: unknown) =>
  schema.safeParse(body).error?.issues[0]?.message;

describe('generate', () => {
  it('fills in defaults and ignores unknown fields', () => {
    expect(generateRequest.parse({ prompt: 'a page', colour: 'red' })).toEqual({
      prompt: 'a page',
      model: 'auto',
      duration: 'auto',
    });
  });

  testRows([
    [{}, 'prompt is required: a description of what to build'],
    [{ prompt: 7 }, 'prompt must be a string, not a number'],
    [{ prompt: '' }, 'prompt is empty: describe what to build'],
    [{ prompt: 'a'.repeat(10_001) }, 'prompt has 10,001 characters: at most 10,000 are accepted'],
    [
      { prompt: 'a', model: 'gpt' },
      'model must be one of auto, provider-a, provider-b, provider-c, provider-d, not "gpt"',
    ],
    [{ prompt: 'a', deploy: 'yes' }, 'deploy must be true or an object with a projectId'],
    [{ prompt: 'a', deploy: { projectId: 'a b' } }, 'projectId must be 1 to 128 characters from A-Z a-z 0-9 . _ -'],
    [{ prompt: 'a', duration: '1h' }, 'duration must be one of auto, 5min, 10min, not "1h"'],
    [
      { prompt: 'a', from: 'b', files: [{ path: 'a', content: '' }] },
      'from and files exclude each other: send one of them',
    ],
  ])('rejects an invalid body', (body, expected) => expect(errorOf(generateRequest, body)).toBe(expected));

  it('counts code points, not UTF-16 units', () => {
    expect(errorOf(generateRequest, { prompt: '🍅'.repeat(10_000) })).toBeUndefined();
    expect(errorOf(generateRequest, { prompt: '🍅'.repeat(10_001) })).toMatch('10,001 characters');
    expect(characters('a🍅é')).toBe(3);
  });

  it('truncates to 200 characters without splitting one', () => {
    expect(truncate('a'.repeat(300), 200)).toBe('a'.repeat(200));
    expect(truncate('🍅'.repeat(300), 200)).toBe('🍅'.repeat(200));
    expect(truncate(`${'a'.repeat(199)}🍅🍅`, 200)).toBe(`${'a'.repeat(199)}🍅`);
    expect(truncate('short', 200)).toBe('short');
  });
});

describe('deploy', () => {
  const PROJECT_ID_ERROR = 'projectId must be 1 to 128 characters from A-Z a-z 0-9 . _ -';
  const SHA256_ERROR = 'sha256 must be the SHA-256 of the file’s bytes as 64 hexadecimal digits';
  const file = { path: 'index.html', content: '' };
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
  testRows([
    [{}, 'files is required: the files of the project, each with a path and content, or send generationId instead'],
    [{ files: [file], generationId: 'a' }, 'files and generationId exclude each other: send one of them'],
    [{ generationId: 7 }, 'generationId must be a string, not a number'],
    [{ files: {} }, 'files must be an array, not an object'],
    [{ files: [] }, 'files is empty: a deployment has at least one file'],
    [{ files: Array(201).fill(file) }, 'files has 201 entries: at most 200 are accepted'],
    [{ files: ['index.html'] }, 'every file must be a JSON object, not a string'],
    [{ files: [{ content: '' }] }, 'path is required: the path of the file within the project'],
    [
      { files: [{ path: 'a' }] },
      'content is required: the content of the file, or its sha256 if the live version has the file',
    ],
    [{ files: [{ ...file, sha256 }], projectId: 'a' }, 'content and sha256 exclude each other: send one of them'],
    [{ files: [{ path: 'a', sha256: sha256.slice(1) }], projectId: 'a' }, SHA256_ERROR],
    [{ files: [{ path: 'a', sha256: `${sha256.slice(1)}g` }], projectId: 'a' }, SHA256_ERROR],
    [{ files: [{ path: 'a', sha256: `${sha256}\n` }], projectId: 'a' }, SHA256_ERROR],
    [
      { files: [file, { path: 'a', sha256 }] },
      'sha256 stands for a file of the live version of a project: send its projectId, or the content of every file',
    ],
    [{ files: [file], projectId: 'a b' }, PROJECT_ID_ERROR],
    [{ files: [file], projectId: 'a'.repeat(129) }, PROJECT_ID_ERROR],
  ])('rejects an invalid body', (body, expected) => expect(errorOf(deployRequest, body)).toBe(expected));

  testRows([
    [{ linkExpiresInSeconds: 60 }, 'linkExpiresInSeconds requires access: "link", which makes a new link'],
    [
      { access: 'public', linkExpiresInSeconds: 60 },
      'linkExpiresInSeconds requires access: "link", which makes a new link',
    ],
    [{ access: 'link', linkExpiresInSeconds: 60 }, undefined],
    [{ access: 'link' }, undefined],
    [{ access: 'password' }, 'password is required with access: "password", and excluded with any other access'],
    [
      { access: 'link', password: 'correct horse' },
      'password is required with access: "password", and excluded with any other access',
    ],
  ])('rejects a field of another access, also in a change of settings', (body, expected) => {
    expect(errorOf(deployRequest, { files: [file], ...body })).toBe(expected);
    expect(settingsRequest.safeParse({ expiresInSeconds: 60, ...body }).error?.issues[0]?.message).toBe(expected);
  });

  it('accepts a SHA-256 in upper case', () => {
    const files = [{ path: 'a', sha256: sha256.toUpperCase() }];
    expect(deployRequest.parse({ files, projectId: 'a' }).files).toEqual([{ path: 'a', sha256 }]);
  });

  it('accepts an unchanged generate response', () => {
    const response = { files: [{ ...file, language: 'html' }], tokensUsed: 1, model: 'provider-a/blueprint' };
    expect(deployRequest.parse(response)).toEqual({ files: [file] });
  });
});

describe('assets', () => {
  it('has no required fields', () => expect(assetRequest.parse({})).toEqual({}));

  testRows([
    [{ attributes: [] }, 'attributes must be a JSON object, not an array'],
    [{ attributes: { name: '' } }, 'attributes.name is empty'],
    [{ attributes: { name: 'n'.repeat(256) } }, 'attributes.name is longer than 255 characters'],
    [{ attributes: { type: 'png' } }, 'attributes.type must be a media type such as image/png'],
    [{ attributes: { size: -1 } }, 'attributes.size must be a whole number of bytes, 0 or more'],
    [{ entity_type: 'avatar' }, 'entity_type must be an upper-case identifier such as USER_AVATAR'],
  ])('rejects an invalid body', (body, expected) => expect(errorOf(assetRequest, body)).toBe(expected));
});

describe('the query of a list', () => {
  testRows([
    [{}, { limit: 20 }],
    [{ limit: '1' }, { limit: 1 }],
    [
      { limit: '100', cursor: 'c', other: 'x' },
      { limit: 100, cursor: 'c' },
    ],
  ])('is accepted', (query, expected) => expect(listQuery.parse(query)).toEqual(expected));

  testRows(['0', '101', '-1', '1.5', '1e1', '0x1', ' 1', 'ten', '', '9'.repeat(30)])(
    'is rejected with an invalid limit',
    (limit) => {
      const { error } = listQuery.safeParse({ limit });
      expect(error?.issues.map(({ message }) => message)).toEqual([
        expect.stringMatching(/^limit must be a whole number from 1 to 100, not "?/),
      ]);
    },
  );
});
