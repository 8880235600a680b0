import type { GenerationEvent, GenerationResource, Look, LookProblem } from '../../../../client/client.ts';
import type { DeploymentResource } from '../../../../client/types.ts';
import type { Action } from '../../../../web/console/state/actions.ts';
import {
  activityOf,
  isWithheld,
  liveLook,
  lookSentence,
  picturesOfEntry,
  picturesOfSite,
  problemsOf,
} from '../../../../web/console/state/looks.ts';
import { INITIAL, reduce } from '../../../../web/console/state/reduce.ts';
import type { GalleryEntry, State } from '../../../../web/console/state/types.ts';
import { testRows } from '../../../support/rows.ts';

const ERROR: LookProblem = {
  kind: 'error',
  message: 'Uncaught TypeError: x is undefined',
  path: 'src/app.js',
  line: 12,
  column: 3,
  blocking: true,
};
const WIDE: LookProblem = { kind: 'wide', message: 'The page scrolls sideways', width: 390 };
const screenshots = { 390: '/api/v1/generations/g/screenshot?width=390', 1280: '/s?width=1280' };
const looked = (...problems: LookProblem[]): Look => ({ state: 'looked', problems, screenshots });

const FORM = { prompt: 'a quiz', model: 'auto', duration: 'auto' } as const;
const started: Action = { type: 'started', projectId: 'p', key: 'k', form: FORM, at: 1_000 };
let eventId = 0;
const event = (type: GenerationEvent['type'], data: object): Action => ({
  type: 'event',
  key: 'k',
  at: 1_500,
  event: { id: ++eventId, type, data } as GenerationEvent,
});
const attempt = (number: number, kind: string, more: object = {}) =>
  event('attempt', { attempt: number, model: 'provider-a/x', kind, startedAt: 1, ...more });
const ended = (number: number, kind: string, more: object = {}) =>
  attempt(number, kind, { outcome: 'succeeded', ...more });
const seen = (number: number, look: Look) => event('look', { attempt: number, ...look });
const settled = (more: Partial<GenerationResource>): Action => ({
  type: 'settled',
  key: 'k',
  at: 2_000,
  resource: { ...FORM, id: 'g', status: 'succeeded', createdAt: 1, attempts: [], files: [], ...more },
});

const stateAfter = (...actions: Action[]): State => [started, ...actions].reduce(reduce, INITIAL);
const turnAfter = (...actions: Action[]) => {
  const turn = stateAfter(...actions).project?.turns[0];
  if (!turn) throw new Error('There is no turn');
  return turn;
};
const plain = (text: string | undefined) => text?.replaceAll('\u00a0', ' ');

testRows<[look: Look, sentence: string]>([
  [{ state: 'looking' }, 'A browser opens the page…'],
  [looked(), 'Opened at 390 and 1280 px: no problems'],
  [looked(ERROR), 'Opened at 390 and 1280 px: 1 error in src/app.js:12'],
  [
    looked({ kind: 'missing', message: 'a', path: 'index.html' }),
    'Opened at 390 and 1280 px: 1 missing file in index.html',
  ],
  [looked(ERROR, WIDE, ERROR), 'Opened at 390 and 1280 px: 2 errors, sideways scrolling on a phone'],
  [{ state: 'looked', problems: [{ kind: 'hung', message: 'a' }] }, 'Opened: no response'],
  [{ ...looked(), screenshots: { 390: '/a' } }, 'Opened at 390 px: no problems'],
  [{ state: 'skipped', reason: 'No browser was found' }, 'Not opened in a browser. No browser was found'],
  [{ state: 'failed', reason: 'It crashed' }, 'The browser could not open the page. It crashed'],
])('is a sentence', (look, sentence) => {
  expect(plain(lookSentence(look))).toBe(sentence);
});

describe('a generation that a browser looks at', () => {
  const shown = (...actions: Action[]) => {
    const turn = turnAfter(...actions);
    return [activityOf(turn), plain(liveLook(turn))];
  };
  const broken = [ended(1, 'write'), seen(1, { state: 'looking' }), seen(1, looked(ERROR))];

  it('says what happens, from the first look to a repair that is dropped', () => {
    const saw = 'Opened at 390 and 1280 px: 1 error in src/app.js:12';
    expect(shown(attempt(1, 'write'))).toEqual([undefined, undefined]);
    expect(shown(...broken.slice(0, 2))).toEqual(['looking', 'A browser opens the page…']);
    expect(shown(...broken)).toEqual([undefined, saw]);
    expect(shown(...broken, attempt(2, 'review'))).toEqual(['reviewing', saw]);
    const repairing = [...broken, attempt(2, 'repair')];
    expect(shown(...repairing)).toEqual(['repairing', `${saw}, repairing`]);
    const worse = [...repairing, ended(2, 'repair'), seen(2, looked(ERROR, WIDE))];
    expect(shown(...worse)[1]).toBe('Opened at 390 and 1280 px: 1 error, sideways scrolling on a phone');
    expect(shown(...worse, ended(2, 'repair', { dropped: true }))[1]).toBe(
      'Opened at 390 and 1280 px: 1 error, sideways scrolling on a phone, so the repair was dropped',
    );
  });

  it('says that a repair was dropped that no browser could open', () => {
    const unbuilt = ended(2, 'repair', { dropped: true, reason: 'Dropped: the project no longer built' });
    expect(shown(...broken, unbuilt)[1]).toBe(
      'Opened at 390 and 1280 px: 1 error in src/app.js:12. The repair was dropped',
    );
  });

  it('is announced to screen readers, but not that nobody looks', () => {
    expect(plain(stateAfter(...broken).statusMessage)).toBe('Opened at 390 and 1280 px: 1 error in src/app.js:12');
    const skipped = seen(1, { state: 'skipped', reason: 'No browser was found' });
    expect(stateAfter(event('file', { path: 'a', content: '' }), skipped).statusMessage).toBe('Wrote a');
  });

  it('ends with the look at the project as it is, and those of its attempts', () => {
    const attempts = [{ look: looked(ERROR) }, {}] as unknown as GenerationResource['attempts'];
    const turn = turnAfter(...broken, settled({ attempts, look: looked() }));
    expect([turn.look, turn.looks]).toEqual([looked(), new Map([[1, looked(ERROR)]])]);
    expect(activityOf(turn)).toBeUndefined();
  });

  it('lists each problem once, with the place that a browser found', () => {
    const long: LookProblem = { kind: 'console', message: 'x'.repeat(400) };
    const line = 'src/app.js:12:3: Uncaught TypeError: x is undefined';
    const problems = ['style.css: is empty', line, `${'x'.repeat(300)}…`];
    const turn = turnAfter(settled({ look: looked(ERROR, long), problems }));
    expect(problemsOf(turn)).toEqual([ERROR, long, { message: 'style.css: is empty' }]);
    expect(problemsOf(turnAfter())).toEqual([]);
  });

  it('withholds a page only because of what the browser saw', () => {
    const deploymentError = { status: 400, error: 'Not published: it throws' };
    const isKept = (more: Partial<GenerationResource>) => isWithheld(turnAfter(settled(more)));
    expect(isKept({ deploymentError, look: looked(ERROR) })).toBe(true);
    expect(isKept({ deploymentError, look: looked(WIDE) })).toBe(false);
    expect(isKept({ deploymentError })).toBe(false);
    expect(isKept({ look: looked(ERROR) })).toBe(false);
  });
});

describe('a deployment that a browser looks at', () => {
  const deployed: Action = {
    type: 'deployed',
    files: new Map(),
    deployed: {
      id: 'd',
      url: 'https://x.test/d/d',
      entry: 'index.html',
      fileCount: 1,
      title: 'T',
      createdAt: 1,
      version: 'v2',
      siteUrl: null,
      created: false,
    },
  };
  const pictures = {
    390: 'https://x.test/d/d.png?width=390&version=v2',
    1280: 'https://x.test/d/d.png?width=1280&version=v2',
  };
  const seenVersion: Look = { state: 'looked', problems: [WIDE], screenshots: pictures };
  const resource = (version: string, look: Look) =>
    ({
      version,
      look,
      versions: [
        { version: 'v2', look },
        { version: 'v1', look: looked() },
      ],
    }) as unknown as DeploymentResource;
  const published = stateAfter(deployed, { type: 'site', resource: resource('v2', { state: 'looking' }) });

  it('keeps what it is busy with and the version that it knows, when the look arrives', () => {
    const busy = reduce(published, { type: 'busy', with: 'rollback' });
    const { project } = reduce(busy, { type: 'seen', resource: resource('v3', seenVersion) });
    expect(project).toMatchObject({
      busy: 'rollback',
      site: { version: 'v2', look: seenVersion, versions: [{ look: seenVersion }, { look: looked() }] },
    });
  });

  it('forgets the look of the version before', () => {
    const state = reduce(published, { type: 'seen', resource: resource('v2', seenVersion) });
    expect(state.project?.site?.look).toEqual(seenVersion);
    expect(reduce(state, deployed).project?.site?.look).toBeUndefined();
  });

  it('has its pictures in the gallery, by paths of this page', () => {
    const generated = reduce(stateAfter(), settled({ look: looked() }));
    expect(generated.gallery).toMatchObject([{ seen: 'generation', generation: 'g' }]);
    const [entry] = reduce(published, { type: 'seen', resource: resource('v2', seenVersion) }).gallery;
    expect(picturesOfEntry(entry as GalleryEntry, false, 0)).toEqual({
      paths: { 390: '/d/d.png?width=390', 1280: '/d/d.png?width=1280' },
    });
    const [keyed] = generated.gallery.map((one) => ({ ...one, keyed: true }));
    expect(picturesOfEntry(keyed as GalleryEntry, false, 0)).toBeUndefined();
    expect(picturesOfEntry(keyed as GalleryEntry, true, 0)).toEqual({ generation: 'g' });
    expect(picturesOfEntry(keyed as GalleryEntry, true, 86_400_000 + 1_000)).toBeUndefined();
    const site = { id: 'd', access: 'public' } as const;
    expect(picturesOfSite(site, 'v2', seenVersion)).toEqual({
      paths: { 390: '/d/d.png?width=390&version=v2', 1280: '/d/d.png?width=1280&version=v2' },
    });
    expect(picturesOfSite(site, 'v2', { screenshots: {} })).toBeUndefined();
  });

  it('has those of a private page from the API, with what manages it', () => {
    const site = { id: 'd', access: 'link', token: 'ptd_1' } as const;
    const source = { site: 'd', version: 'v2', token: 'ptd_1' };
    expect(picturesOfSite(site, 'v2', seenVersion)).toEqual(source);
    const entry = { seen: 'site', at: 0, keyed: false, site: { ...site, version: 'v2' } } as GalleryEntry;
    expect(picturesOfEntry(entry, false, 0)).toEqual(source);
    const { token: _, ...keyed } = { ...site, version: 'v2', url: 'https://x/d/d' };
    expect(picturesOfEntry({ ...entry, keyed: true, site: keyed }, false, 0)).toBeUndefined();
  });
});
