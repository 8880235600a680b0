import {
  ApiError,
  type DomainResource,
  type GenerationEvent,
  type GenerationResource,
} from '../../../../client/client.ts';
import { CODES } from '../../../../client/error.ts';
import type { Action } from '../../../../web/console/state/actions.ts';
import { adviceOn, failureOf } from '../../../../web/console/state/failure.ts';
import { fragmentOf } from '../../../../web/console/state/fragment.ts';
import { attemptsSummary, groupsOf, shownAttempts } from '../../../../web/console/state/progress.ts';
import { INITIAL, reduce } from '../../../../web/console/state/reduce.ts';
import { domainUrl, needsKey, sharingProblem, withDomain } from '../../../../web/console/state/site.ts';
import { readableId } from '../../../../web/console/state/turn.ts';
import type { Form, State } from '../../../../web/console/state/types.ts';

const FORM: Form = { prompt: 'a quiz\nabout birds', model: 'auto', duration: '5min' };

const stateAfter = (...actions: Action[]): State => actions.reduce(reduce, INITIAL);
const started: Action = { type: 'started', projectId: 'p', key: 'k1', form: FORM, at: 1_000 };
const followed: Action = { type: 'followed', key: 'k2', form: { ...FORM, prompt: 'green' }, at: 2_000 };

let eventId = 0;
const event = (key: string, type: GenerationEvent['type'], data: object): Action => ({
  type: 'event',
  key,
  at: 1_500,
  event: { id: ++eventId, type, data } as GenerationEvent,
});
const file = (key: string, path: string, content: string) => event(key, 'file', { path, content });
const done = (key: string, files: Record<string, string>) =>
  event(key, 'done', {
    files: Object.entries(files).map(([path, content]) => ({ path, content })),
    model: 'provider-a/x',
  });
const resource = (key: string, more: Partial<GenerationResource> = {}): GenerationResource => ({
  id: `id-${key}`,
  status: 'succeeded',
  prompt: FORM.prompt,
  model: 'auto',
  duration: 'auto',
  createdAt: 5_000,
  finishedAt: 5_400,
  attempts: [],
  files: [],
  ...more,
});
const ended = (key: string, files: Record<string, string>, more: Partial<GenerationResource> = {}): Action[] => [
  { type: 'identified', key, id: `id-${key}` },
  done(key, files),
  { type: 'settled', key, resource: resource(key, more), at: 1_600 },
];
const first = [started, ...ended('k1', { 'index.html': 'one' })];
const second = [...first, followed, ...ended('k2', { 'index.html': 'two' })];
/** Shows what the first generation made. */
const movedBack: Action = { type: 'moved', to: 0, files: new Map([['index.html', 'one']]), edited: false };
const contents = ({ project }: State) => Object.fromEntries(project?.files ?? []);

describe('a generation', () => {
  it('is shown as it is written', () => {
    const attempt = {
      attempt: 1,
      provider: 'provider-a',
      model: 'provider-a/x',
      kind: 'write',
      startedAt: 1,
    };
    const { project, view, statusMessage } = stateAfter(
      started,
      event('k1', 'queued', { at: 1 }),
      event('k1', 'attempt', attempt),
      event('k1', 'plan', { files: [{ path: 'index.html', purpose: 'page' }] }),
      file('k1', 'index.html', 'a'),
      file('k1', 'app.js', 'b'),
      file('k1', 'index.html', 'c'),
      event('k1', 'deleted', { path: 'app.js' }),
    );
    expect([view, statusMessage]).toEqual(['project', 'Wrote index.html']);
    expect(project).toMatchObject({ name: 'a quiz', at: -1, files: new Map() });
    expect(project?.turns).toMatchObject([
      {
        status: 'running',
        written: ['app.js', 'index.html'],
        files: new Map([['index.html', 'c']]),
        plan: [{ path: 'index.html' }],
        attempts: [{ model: 'provider-a/x' }],
        startedAt: 1_000,
      },
    ]);
  });

  it('replaces an attempt by its end', () => {
    const attempt = { attempt: 1, model: 'provider-b/x', kind: 'write', startedAt: 1 };
    const state = stateAfter(
      started,
      event('k1', 'attempt', attempt),
      event('k1', 'attempt', { ...attempt, outcome: 'timed_out' }),
      event('k1', 'attempt', { ...attempt, attempt: 2, matched: null }),
    );
    expect(state.project?.turns[0]).toMatchObject({
      attempts: [{ outcome: 'timed_out' }, {}],
      matched: null,
    });
  });

  it('is the project once it is done, and takes the time that the service measured', () => {
    const { project, statusMessage } = stateAfter(...first);
    expect(project).toMatchObject({
      at: 0,
      edited: false,
      tab: 'preview',
      files: new Map([['index.html', 'one']]),
    });
    expect(project?.turns[0]).toMatchObject({ status: 'succeeded', finishedAt: 1_400, id: 'id-k1' });
    expect(statusMessage).toBe('Generation succeeded: 0 files');
  });

  it('decodes files that are not text', () => {
    const image = { path: 'dot.png', content: 'iVA=', encoding: 'base64' };
    const { project } = stateAfter(started, event('k1', 'done', { files: [image], model: 'x' }));
    expect(project?.files.get('dot.png')).toEqual(new Uint8Array([0x89, 0x50]));
  });

  it('that failed leaves the project as it is, and can be tried again', () => {
    const failure = { code: 'providers_failed', message: 'All failed' };
    const failed = [...first, followed, { type: 'turnFailed', key: 'k2', failure, at: 9 } as const];
    const state = stateAfter(...failed);
    expect(state.project).toMatchObject({ at: 0, turns: [{}, { status: 'failed', failure }] });
    expect(contents(state)).toEqual({ 'index.html': 'one' });
    const again = reduce(state, { type: 'retried', key: 'k2', newKey: 'k3', at: 10 });
    expect(again.project?.turns[1]).toMatchObject({ key: 'k3', status: 'starting', attempts: [], base: {} });
    expect(again.project?.turns[1]?.failure).toBeUndefined();
  });

  it('that was canceled leaves what it has written, to be continued by hand', () => {
    const canceled = resource('k1', { status: 'canceled' });
    const state = stateAfter(started, file('k1', 'index.html', 'half'), {
      type: 'settled',
      key: 'k1',
      resource: canceled,
      at: 2,
    });
    expect(state.project).toMatchObject({ at: -1, edited: true, turns: [{ status: 'canceled' }] });
    expect(contents(state)).toEqual({ 'index.html': 'half' });
  });

  it('of another conversation changes nothing', () => {
    const state = stateAfter(...first);
    expect(reduce(state, file('other', 'a', 'b'))).toBe(state);
  });
});

describe('files that are written at the same time', () => {
  const plan = [
    { path: 'index.html', purpose: '', group: 1 },
    { path: 'app.js', purpose: '', group: 2 },
    { path: 'store.js', purpose: '', group: 2 },
  ];
  const attempt = (number: number, more: object) =>
    event('k1', 'attempt', { attempt: number, model: 'provider-a/x', kind: 'write', startedAt: 1, ...more });
  const writing = (...files: [path: string, attempt: number][]) =>
    event('k1', 'writing', {
      files: files.map(([path, attempt]) => ({ path, characters: 2_048, attempt })),
    });
  const running = [
    started,
    attempt(1, {}),
    event('k1', 'plan', { files: plan }),
    attempt(2, { group: 2 }),
    writing(['index.html', 1], ['app.js', 2]),
  ];
  const turnAfter = (...actions: Action[]) => {
    const turn = stateAfter(...running, ...actions).project?.turns[0];
    if (!turn) throw new Error('There is no turn');
    return turn;
  };
  const groups = (...actions: Action[]) =>
    groupsOf(turnAfter(...actions)).map(({ group, planned, written, file }) => [
      group,
      `${written}/${planned}`,
      file?.path,
    ]);

  it('are shown by group, and no longer once they are complete or deleted', () => {
    expect(groups()).toEqual([
      [1, '0/1', 'index.html'],
      [2, '0/2', 'app.js'],
    ]);
    expect(groups(file('k1', 'app.js', 'a'), event('k1', 'deleted', { path: 'index.html' }))).toEqual([
      [1, '0/1', undefined],
      [2, '1/2', undefined],
    ]);
    expect(groups(writing(['extra.js', 2], ['other.js', 9]))).toEqual([
      [1, '0/1', 'other.js'],
      [2, '0/2', 'extra.js'],
    ]);
  });

  it('are one group without a plan', () => {
    const state = stateAfter(started, attempt(1, {}), writing(['index.html', 1]));
    const [turn] = state.project?.turns ?? [];
    expect(turn && groupsOf(turn)).toEqual([
      {
        group: undefined,
        planned: 0,
        written: 0,
        file: { path: 'index.html', characters: 2_048, attempt: 1 },
      },
    ]);
  });

  it('are not announced to screen readers', () => {
    expect(stateAfter(...running).statusMessage).toBe('3 files are planned');
    const cut = attempt(2, { group: 2, outcome: 'cut_off' });
    expect(stateAfter(...running, cut).statusMessage).toBe('3 files are planned');
  });

  it('are no longer written when the generation ends', () => {
    const failure = { code: 'network', message: 'Lost' };
    const settled = { type: 'settled', key: 'k1', resource: resource('k1'), at: 2 } as const;
    for (const end of [done('k1', {}), settled, { type: 'turnFailed', key: 'k1', failure, at: 2 } as const])
      expect(turnAfter(end).writing).toEqual([]);
  });

  it('belong to attempts that have a number each, and are continued if they are cut off', () => {
    const states = (...actions: Action[]) =>
      shownAttempts(turnAfter(...actions)).map(({ number, state }) => [number, state]);
    const cut = attempt(2, { group: 2, outcome: 'cut_off' });
    const refused = attempt(1, { group: 1, outcome: 'refused' });
    const shown = [
      [1, 'failed'],
      [2, 'continued'],
      [3, 'running'],
    ];
    expect(states(refused, cut, attempt(3, { group: 2 }))).toEqual(shown);
    expect(states(cut)).toEqual([
      [1, 'running'],
      [2, 'continued'],
    ]);
    const attempts = [{ outcome: 'succeeded' }, { outcome: 'cut_off' }] as unknown as GenerationResource['attempts'];
    const over = resource('k1', { status: 'incomplete', attempts });
    expect(states({ type: 'settled', key: 'k1', resource: over, at: 2 })).toEqual([
      [1, 'succeeded'],
      [2, 'failed'],
    ]);
  });

  it('are summed up as the states of their attempts', () => {
    const summary = (...actions: Action[]) =>
      attemptsSummary(shownAttempts(turnAfter(...actions))).replaceAll('\u00a0', ' ');
    expect(summary()).toBe('2 attempts, 2 running');
    expect(summary(attempt(1, { outcome: 'refused' }), attempt(2, { outcome: 'succeeded' }))).toBe(
      '2 attempts, 1 failed',
    );
    const [first] = stateAfter(started, attempt(1, {})).project?.turns ?? [];
    expect(first && attemptsSummary(shownAttempts(first))).toBe('provider-a/x: running');
  });
});

describe('a conversation', () => {
  it('goes back to what there was before, with edits by hand, and forward again', () => {
    const edit: Action = { type: 'edited', path: 'index.html', content: 'mine' };
    const state = stateAfter(...first, edit, followed, ...ended('k2', { 'index.html': 'two' }));
    expect(state.project).toMatchObject({ at: 1, edited: false });
    const { base } = state.project?.turns[1] ?? {};
    if (!base) throw new Error('The turn has no base');
    const undone = reduce(state, { type: 'moved', to: 0, ...base });
    expect(undone.project).toMatchObject({ at: 0, edited: true });
    expect(contents(undone)).toEqual({ 'index.html': 'mine' });
    expect(undone.project?.turns).toHaveLength(2);
  });

  it('stays undone when more becomes known of the generation', () => {
    const [identified, complete, known] = ended('k2', { 'index.html': 'two' }) as [Action, Action, Action];
    const state = stateAfter(...first, followed, identified, complete, movedBack, known);
    expect(state.project).toMatchObject({ at: 0, files: new Map([['index.html', 'one']]) });
  });

  it('forgets what was undone once it goes on', () => {
    const { project } = stateAfter(...second, movedBack, { ...followed, key: 'k3' } as Action);
    expect(project?.turns.map(({ key }) => key)).toEqual(['k1', 'k3']);
    expect(project?.turns[1]?.base).toMatchObject({ edited: false, files: new Map([['index.html', 'one']]) });
  });

  it('is opened by the generation that is shown, or that runs', () => {
    const state = stateAfter(...second);
    expect(state.gallery).toMatchObject([{ generation: 'id-k2' }]);
    const undone = reduce(state, movedBack);
    expect(undone.gallery).toMatchObject([{ generation: 'id-k1' }]);
    const running = [
      { ...followed, key: 'k3' },
      { type: 'identified', key: 'k3', id: 'id-k3' },
    ] as Action[];
    expect(running.reduce(reduce, undone).gallery).toMatchObject([{ generation: 'id-k3' }]);
  });

  it('shows the generations before the one that was opened', () => {
    const opened: Action = { type: 'opened', projectId: 'p', key: 'id-b', resource: resource('b') };
    const state = stateAfter(opened, ...ended('id-b', { a: 'b' }), {
      type: 'ancestor',
      resource: resource('a', { prompt: 'first' }),
    });
    expect(state.project).toMatchObject({ name: 'first', at: 1, turns: [{ id: 'id-a' }, { key: 'id-b' }] });
    expect(state.project?.turns[0]?.files).toBeUndefined();
  });

  it('is not edited by the same content', () => {
    const state = stateAfter(...first);
    expect(reduce(state, { type: 'edited', path: 'index.html', content: 'one' })).toBe(state);
  });
});

describe('a deployment', () => {
  const deployed = {
    id: 'd',
    url: 'https://x/d/d',
    entry: 'index.html',
    fileCount: 1,
    title: 'T',
    createdAt: 1,
  };
  const deploy = (state: State, version: string, token?: string, more: object = {}): State =>
    reduce(state, {
      type: 'deployed',
      files: state.project?.files ?? new Map(),
      deployed: { ...deployed, version, siteUrl: null, created: false, ...(token ? { token } : {}), ...more },
    });
  const published = () => deploy(stateAfter(...first), 'v1', 'ptd_1');
  const claimed = {
    type: 'site',
    resource: { version: 'v1', title: 'T', versions: [], owner: 'key', access: 'public' },
  } as unknown as Action;

  it('keeps its token, and knows whether its files are those of the project', () => {
    const state = deploy(published(), 'v2');
    expect(state.project?.site).toMatchObject({ version: 'v2', token: 'ptd_1' });
    expect(state.project?.site?.files).toBe(state.project?.files);
    const edited = reduce(state, { type: 'edited', path: 'index.html', content: 'x' });
    expect(edited.project?.site?.files).not.toBe(edited.project?.files);
  });

  it('says why it is held, until the operator releases it', () => {
    const reasons = [{ kind: 'fields', reason: 'It asks for a password', path: 'index.html', points: 10 }];
    const seen = (review: object) => ({
      type: 'site',
      resource: { version: 'v1', versions: [], owner: 'anonymous', access: 'public', review },
    });
    const held = reduce(published(), seen({ state: 'held', points: 60, reasons }) as unknown as Action);
    expect(held.project?.site?.warning).toMatch(/held for review.*claim it.*index\.html: It asks for a password$/);
    const released = reduce(held, seen({ state: 'released', points: 60, reasons }) as unknown as Action);
    expect(released.project?.site?.warning).toBe(undefined);
  });

  it('has the domains that the service reports, and the address of the first one that shows it', () => {
    const domain = (name: string, state: string) =>
      ({
        domain: name,
        url: `https://${name}/`,
        state,
        records: [],
        addedAt: 1,
      }) as unknown as DomainResource;
    const state = reduce(deploy(stateAfter(...first), 'v1'), { type: 'busy', with: 'deploy' });
    const domains = [domain('a.example', 'waiting_for_dns'), domain('b.example', 'active')];
    const known = reduce(state, { type: 'domains', id: 'd', domains }).project;
    expect(known).toMatchObject({ busy: 'deploy', site: { domains } });
    expect(domainUrl(known?.site?.domains)).toBe('https://b.example/');
    expect(domainUrl(deploy(state, 'v2').project?.site?.domains)).toBeUndefined();
    expect(reduce(state, { type: 'domains', id: 'other', domains })).toEqual(state);

    const issuing = domain('a.example', 'issuing');
    expect(withDomain(domains, issuing)).toEqual([issuing, domains[1]]);
    expect(withDomain([], issuing)).toEqual([issuing]);
  });

  it('is in the gallery until it is deleted', () => {
    const state = published();
    const site = { id: 'd', url: 'https://x/d/d', version: 'v1', token: 'ptd_1', access: 'public' };
    expect(state.gallery).toEqual([
      { projectId: 'p', name: 'a quiz', at: 1_000, generation: 'id-k1', site, keyed: false },
    ]);
    const deleted = reduce(state, { type: 'ended', end: 'deleted' });
    expect(deleted.gallery).toMatchObject([{ projectId: 'p', generation: 'id-k1' }]);
    expect(deleted.gallery[0]?.site).toBeUndefined();
  });

  it('that has expired stays in the gallery, because it can be published again at its URL', () => {
    const expired = reduce(published(), { type: 'ended', end: 'expired' });
    expect(expired.gallery).toMatchObject([{ site: { token: 'ptd_1' } }]);
    expect(expired.project?.site).toMatchObject({ end: 'expired', files: undefined });
    expect(deploy(expired, 'v2').project?.site?.end).toBeUndefined();
  });

  it('has no token any more once it is claimed', () => {
    const { project, gallery } = reduce(published(), claimed);
    expect(project?.site).toMatchObject({ version: 'v1', files: project?.files, token: undefined });
    expect(JSON.stringify(gallery)).not.toContain('ptd_1');
    expect(gallery).toMatchObject([{ keyed: true }]);
  });

  it('is as private as it was chosen before, and a copy of it, too', () => {
    const sharing = { access: 'password', password: 'correct horse', linkSeconds: 60 } as const;
    const chosen = reduce(stateAfter(...first), { type: 'sharing', sharing });
    expect(chosen.project?.sharing).toEqual(sharing);
    const state = deploy(chosen, 'v1', 'ptd_1', { access: 'password' });
    expect(state.project).toMatchObject({ sharing: undefined, site: { access: 'password' } });
    expect(deploy(state, 'v2').project?.site?.access).toBe('password');
    const { project } = reduce(state, { type: 'copied', projectId: 'q' });
    expect(project).toMatchObject({
      projectId: 'q',
      site: undefined,
      sharing: { access: 'password', password: '' },
    });
    expect(project?.sharing && sharingProblem(project.sharing)).toMatch('Enter a password');
  });

  it('stays that of the project when a key is entered, which then can claim it', () => {
    const { project, key } = reduce(published(), { type: 'key', key: 'abcd' });
    expect([project?.projectId, project?.site?.token, project?.edited, key]).toEqual(['p', 'ptd_1', false, 'abcd']);
    const [turn] = project?.turns ?? [];
    expect(turn && [turn.id, readableId(turn, turn.startedAt)]).toEqual(['id-k1', undefined]);
  });

  it('needs its key, or another one if it belongs to that', () => {
    const site = { id: 'd', url: 'https://x/d/d', version: 'v1' };
    expect(needsKey({ ...site, token: 'ptd_1' }, false)).toBe(false);
    expect([needsKey(site, false), needsKey(site, true)]).toEqual([true, false]);
    const foreign = reduce(published(), { type: 'foreign' }).project?.site;
    expect(foreign && needsKey(foreign, true)).toBe(true);
  });
});

it('a project that is forgotten is neither in the gallery nor open', () => {
  const state = reduce(stateAfter(...first), { type: 'forgotten', projectId: 'p' });
  expect([state.gallery, state.project]).toEqual([[], undefined]);
  expect(reduce(stateAfter(...first), { type: 'forgotten', projectId: 'q' }).project).toBeDefined();
});

describe('edits', () => {
  const edit: Action = { type: 'edited', path: 'index.html', content: 'mine' };
  const isEdited = (...actions: Action[]) => stateAfter(...first, ...actions).gallery[0]?.edited;
  it('are nowhere else until they are published, or saved as a zip', () => {
    expect(isEdited()).toBeUndefined();
    const { project } = stateAfter(...first, edit);
    expect(isEdited(edit)).toBe(true);
    expect(isEdited(edit, { type: 'saved', files: new Map() })).toBe(true);
    const state = reduce(stateAfter(...first, edit), { type: 'saved', files: project?.files ?? new Map() });
    expect(state.gallery[0]?.edited).toBe(true);
    const own = reduce(state, { type: 'saved', files: state.project?.files ?? new Map() });
    expect(own.gallery[0]?.edited).toBeUndefined();
    expect(reduce(own, { ...edit, content: 'again' }).gallery[0]?.edited).toBe(true);
  });
});

it('a project that is open in another tab is not open in this one, and can be again', () => {
  const there = reduce(stateAfter(...first), { type: 'elsewhere', projectId: 'p' });
  expect([there.project, there.elsewhere]).toEqual([undefined, 'p']);
  // Not a generation, which the other tab may follow with another one.
  expect(fragmentOf(there)).toBe('#p=p');
  const { project } = stateAfter(...first);
  const back = project && reduce(there, { type: 'restored', project });
  expect([back?.view, back?.project, back?.elsewhere]).toEqual(['project', project, undefined]);
});

describe('files of one’s own', () => {
  const uploaded = (name: string, content: string, projectId: string): Action => ({
    type: 'uploaded',
    leftOut: [],
    name,
    projectId,
    files: new Map([['index.html', content]]),
    at: 1_000,
  });

  it('keep their URL when the same folder is dropped again', () => {
    const again = stateAfter(uploaded('Site', 'a', 'p'), uploaded('Site', 'b', 'q'));
    expect(again.project).toMatchObject({
      projectId: 'p',
      files: new Map([['index.html', 'b']]),
      edited: true,
    });
    expect(stateAfter(uploaded('Site', 'a', 'p'), uploaded('Other', 'b', 'q')).project?.projectId).toBe('q');
    expect(stateAfter(...first, uploaded('a quiz', 'b', 'q')).project?.projectId).toBe('q');
  });
});

it('a wait ends when the service answers', () => {
  const wait = { reason: 'rate_limited', until: 9 } as const;
  const waiting = reduce(INITIAL, { type: 'waiting', wait });
  expect(waiting.wait).toBe(wait);
  expect(reduce(waiting, { type: 'responded' }).wait).toBeUndefined();
});

it('every error says what to do', () => {
  const unexpected = adviceOn(failureOf(new Error('a')));
  for (const code of new Set(Object.values(CODES))) expect(adviceOn({ code, message: '' })).not.toBe(unexpected);
  const error = new ApiError('Slow', 429, { requestId: 'r' });
  expect(failureOf(error)).toEqual({ code: 'rate_limited', message: 'Slow', requestId: 'r' });
});
