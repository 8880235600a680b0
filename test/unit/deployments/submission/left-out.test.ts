import { acceptSubmission, submissionOf } from '../../../../lambda/deployments/submission.ts';
import { unpackSite } from '../../../../lambda/sites/archive.ts';
import { testRows } from '../../../support/rows.ts';

const file = (path: string) => ({ path, content: `content of ${path}` });
const PAGE = { path: 'index.html', content: '<title>Page</title>' };

/** Returns the paths that are published and the warning. */
function published(paths: readonly string[]) {
  const { complete } = acceptSubmission({ files: [PAGE, ...paths.map(file)], projectId: 'p' });
  if (!complete || 'source' in complete) throw new Error('This is no site');
  expect(complete.about.fileCount).toBe(unpackSite(complete.archive).size);
  return { paths: [...unpackSite(complete.archive).keys()].slice(1), warning: complete.about.warning };
}

testRows([
  '.env',
  '.ENV.production',
  'a/b/.env.local',
  '.git/config',
  'a/.git/HEAD',
  '.g\u200cit/config',
  'GIT~1/config',
  '.git/../../x',
  '.hg/hgrc',
  '.npmrc',
  '.ssh/id_rsa',
  '.well-known/.htpasswd',
  '.ptp.json',
  'node_modules/a/index.js',
  'lib/node_modules/a/index.js',
])('leaves out what the console and ptp leave out, and names it', (path) => {
  const named = path.replace('\u200c', '?');
  expect(published([path, 'a.txt'])).toEqual({
    paths: ['a.txt'],
    warning: `Left out ${named}: hidden files, repositories and node_modules are not published`,
  });
});

it('publishes everything else', () => {
  const paths = ['.well-known/security.txt', 'a/.well-known/x', 'app.js.map', 'env', 'a.env', 'git/config'];
  expect(published(paths)).toEqual({ paths, warning: undefined });
});

it('stores no file of source that it would not publish, since everybody may download the archive', () => {
  const source = { path: 'index.html', content: '<script type="module" src="/src/main.ts"></script>' };
  const hidden = ['.npmrc', '.ENV', '.env.staging', 'a/.aws/credentials'];
  const kept = ['index.html', 'src/main.ts', 'public/.well-known/a', '.gitignore', '.postcssrc.json'];
  const files = [source, ...[...kept.slice(1), ...hidden].map(file)];
  const { complete } = acceptSubmission({ files, projectId: 'p' });
  if (!complete || !('source' in complete)) throw new Error('This is no source');
  expect([...unpackSite(complete.archive).keys()].sort()).toEqual(kept.sort());
  expect(complete.source.leftOut).toEqual(['.npmrc', '.ENV', 'a/.aws/credentials']);
});

it('says what is left out in one line of a header', () => {
  const paths = ['.git/a\r\nSet-Cookie: a=b', '.é', `.git/${'x'.repeat(100)}`, '.a', '.b'];
  expect(published(paths).warning).toBe(
    `Left out .git/a?Set-Cookie: a=b, .git/${'x'.repeat(55)}..., .? and 2 more: hidden files, repositories and node_modules are not published`,
  );
});

it('refuses a deploy of nothing else', () => {
  for (const path of ['.env', '.git/config'])
    expect(() => acceptSubmission({ files: [file(path)], projectId: 'p' })).toThrow(
      `No files are left to deploy. Left out ${path}: `,
    );
});

it('does the same with the files of a generation', () => {
  const files = [PAGE, file('.git/config'), file('.env')].map((one) => ({
    ...one,
    size: one.content.length,
  }));
  const { complete } = submissionOf(files, 'p');
  expect([...unpackSite(complete?.archive ?? new Uint8Array()).keys()]).toEqual(['index.html']);
});
