import { settingsRequest } from '../../../../lambda/contract/page-settings.ts';
import { keptProject, openedProject } from '../../../../web/console/state/kept-project.ts';
import {
  newPassword,
  PASSWORD_CHARACTERS,
  PUBLIC,
  sharingProblem,
  siteEnd,
} from '../../../../web/console/state/site.ts';
import { newTurn, readableId } from '../../../../web/console/state/turn.ts';
import type { Files, Form, GalleryEntry, OpenProject, Turn } from '../../../../web/console/state/types.ts';
import { clearEntries, isEntryKey, readEntries, writeEntries } from '../../../../web/console/storage/entries.ts';
import { beyondRoom, oldestOther, ProjectMemory } from '../../../../web/console/storage/project-store.ts';

const FORM: Form = { prompt: 'a quiz', model: 'auto', duration: 'auto' };
const MB = 1_048_576;
const filesOf = (content: string): Files =>
  new Map<string, string | Uint8Array>([
    ['index.html', content],
    ['dot.png', new Uint8Array([1, 2])],
  ]);

function projectWith(more: Partial<OpenProject> = {}): OpenProject {
  const [one, two] = [filesOf('one'), filesOf('two')];
  const begun = newTurn('k1', FORM, 1_000, false);
  const first: Turn = { ...begun, id: 'g1', status: 'succeeded', files: one };
  const second: Turn = {
    ...begun,
    key: 'k2',
    id: 'g2',
    status: 'succeeded',
    files: two,
    base: { files: one, edited: false },
  };
  const site = { id: 'd', url: 'https://x/d/d', version: 'v', token: 'ptd_1', files: two };
  const turns = [first, second];
  return {
    projectId: 'p',
    name: 'a quiz',
    begunAt: 1_000,
    turns,
    at: 1,
    files: two,
    edited: false,
    tab: 'preview',
    site,
    ...more,
  };
}

/** As a browser stores it. */
const stored = (project: OpenProject) => structuredClone(keptProject(project, 5_000));

describe('a kept project', () => {
  it('is the same when it is opened again, and knows which files are the published ones', () => {
    const project = projectWith();
    const opened = openedProject(stored(project));
    expect(opened).toEqual(project);
    expect(opened?.files).toBe(opened?.site?.files);
    expect(opened?.turns[1]?.files).toBe(opened?.files);
    expect(opened?.turns[1]?.base?.files).toBe(opened?.turns[0]?.files);
  });

  it('has each content once, and knows about how large it is', () => {
    const { contents, bytes } = stored(projectWith());
    expect(contents.filter((content) => typeof content === 'string')).toEqual(['two', 'one']);
    expect(bytes).toBe('one'.length + 'two'.length + 4 + 2 * FORM.prompt.length);
  });

  it('has no password, and nothing of what was under way', () => {
    const sharing = { ...PUBLIC, access: 'password', password: 'correct horse' } as const;
    const kept = stored(projectWith({ sharing, busy: 'deploy', suggested: { prompt: 'x', count: 1 } }));
    expect(JSON.stringify(kept)).not.toContain('correct horse');
    const opened = openedProject(kept);
    expect(opened?.sharing).toEqual({ ...sharing, password: '' });
    expect([opened?.busy, opened?.suggested]).toEqual([undefined, undefined]);
  });

  it('follows a generation anew that had not ended', () => {
    const base = { files: filesOf('two'), edited: false };
    const running: Turn = {
      ...newTurn('k3', FORM, 9, true, base),
      id: 'g3',
      status: 'running',
      written: ['a'],
    };
    const opened = openedProject(stored(projectWith({ turns: [running] })));
    expect(opened?.turns).toEqual([{ ...newTurn('k3', FORM, 9, true, base), id: 'g3' }]);
  });

  it('leaves the files of earlier states out if it is too large otherwise', () => {
    const large = Array.from({ length: 4 }, (_, i) => filesOf(String(i).repeat(8 * MB)));
    const turns = large.map((files, i): Turn => ({ ...newTurn(`k${i}`, FORM, 1, false), status: 'succeeded', files }));
    const project = projectWith({ turns, at: 3, files: large[3] as Files, site: undefined });
    const kept = stored(project);
    expect(kept.bytes).toBeLessThan(9 * MB);
    const opened = openedProject(kept);
    expect(opened?.turns.map(({ files }) => files?.size)).toEqual([undefined, undefined, undefined, 2]);
    expect(opened?.files).toEqual(project.files);
  });

  it('of another release is not opened', () => {
    expect(openedProject({ ...stored(projectWith()), format: 99 })).toBeUndefined();
  });
});

describe('the room for projects', () => {
  const sizes = [
    { projectId: 'old', at: 1, bytes: 40 * MB },
    { projectId: 'new', at: 3, bytes: 40 * MB },
    { projectId: 'middle', at: 2, bytes: 10 * MB },
  ];

  it('is that of the latest ones', () => {
    expect(beyondRoom(sizes, 'middle')).toEqual([]);
    const more = [...sizes, { projectId: 'now', at: 4, bytes: 30 * MB }];
    expect(beyondRoom(more, 'now')).toEqual(['old']);
    expect(beyondRoom([...sizes, { projectId: 'now', at: 0, bytes: 101 * MB }], 'now')).toEqual([
      'new',
      'middle',
      'old',
    ]);
  });

  it('is made by the oldest first, but not by the one that needs it', () => {
    expect(oldestOther(sizes, 'new')).toBe('old');
    expect(oldestOther(sizes, 'old')).toBe('middle');
    expect(oldestOther(sizes.slice(0, 1), 'old')).toBeUndefined();
  });

  it('is limited in memory, too', async () => {
    const memory = new ProjectMemory();
    const kept = (projectId: string, at: number) => ({
      ...stored(projectWith()),
      projectId,
      at,
      bytes: 60 * MB,
    });
    expect(await memory.write(kept('a', 1))).toEqual([]);
    expect(await memory.write(kept('b', 2))).toEqual(['a']);
    expect([await memory.read('a'), (await memory.read('b'))?.at]).toEqual([undefined, 2]);
    await memory.delete('b');
    expect(await memory.read('b')).toBeUndefined();
  });
});

describe('the list of projects', () => {
  /** A `Storage` without what the entries do not use. */
  function newStorage(items: Record<string, string> = {}): Storage {
    const methods = {
      getItem: (key: string) => items[key] ?? null,
      setItem: (key: string, value: string) => {
        items[key] = value;
      },
      removeItem: (key: string) => {
        delete items[key];
      },
    };
    return new Proxy(items, {
      get: (_, name) => methods[name as keyof typeof methods] ?? items[name as string],
    }) as unknown as Storage;
  }
  const entry = (projectId: string, more: Partial<GalleryEntry> = {}): GalleryEntry => ({
    projectId,
    name: projectId,
    at: 1,
    keyed: false,
    ...more,
  });
  const ids = (storage: Storage) => readEntries(storage).map(({ projectId }) => projectId);

  it('has an item for each, so that tabs change their own ones only, newest first', () => {
    const items = {};
    const [one, two] = [newStorage(items), newStorage(items)];
    const a = entry('a', { keptAt: 5 });
    writeEntries(one, [], [a]);
    writeEntries(two, [], [entry('b')]);
    writeEntries(one, [a], [{ ...a, name: 'renamed' }]);
    expect(readEntries(two)).toMatchObject([{ name: 'renamed' }, { projectId: 'b' }]);
    writeEntries(one, [a], []);
    expect(ids(two)).toEqual(['b']);
    expect([isEntryKey(Object.keys(items)[0] as string), isEntryKey(null), isEntryKey('x')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('takes over the list of earlier releases, and leaves out what is no entry', () => {
    const site = { id: 'd', url: 'javascript:alert(1)', version: 'v' };
    const old = [entry('a'), entry('b', { site }), { projectId: 'c' }];
    const storage = newStorage({ 'ptp-made': JSON.stringify(old), 'ptp-project:d': '{', theme: 'dark' });
    expect(ids(storage)).toEqual(['a']);
    expect(Object.keys(storage).toSorted()).toEqual(['ptp-project:a', 'ptp-project:d', 'theme']);
    clearEntries(storage);
    expect(Object.keys(storage)).toEqual(['theme']);
  });

  it('loses the oldest ones of too many, at first those without a page', () => {
    const site = { id: 'd', url: 'https://x/d/d', version: 'v', token: 'ptd_1' };
    const many = Array.from({ length: 301 }, (_, i) => entry(`e${i}`, { at: i, ...(i === 0 && { site }) }));
    const storage = newStorage();
    writeEntries(storage, [], many);
    expect(ids(storage)).toHaveLength(300);
    expect(ids(storage).slice(-2)).toEqual(['e2', 'e0']);
  });
});

describe('a page', () => {
  it('has expired at its end, and is deleted until it is published again', () => {
    expect(siteEnd({ expiresAt: 10 }, 9)).toBeUndefined();
    expect(siteEnd({ expiresAt: 10 }, 10)).toBe('expired');
    expect(siteEnd({ expiresAt: 10, end: 'deleted' }, 11)).toBe('deleted');
  });

  it('has passwords as the service takes them', () => {
    const { min, max } = PASSWORD_CHARACTERS;
    const isTaken = (password: string) => settingsRequest.safeParse({ access: 'password', password }).success;
    const isRight = (password: string) => sharingProblem({ ...PUBLIC, access: 'password', password }) === undefined;
    for (const length of [0, min - 1, min, max, max + 1]) {
      const password = 'x'.repeat(length);
      expect([length, isRight(password)]).toEqual([length, isTaken(password)]);
    }
    expect(sharingProblem(PUBLIC)).toBeUndefined();
    expect(newPassword()).toMatch(/^([a-km-np-z2-9]{4}-){3}[a-km-np-z2-9]{4}$/);
    expect(newPassword()).not.toBe(newPassword());
  });
});

it('a generation is continued from as long as the service surely has it', () => {
  const turn: Turn = { ...newTurn('k', FORM, 0, false), id: 'g' };
  expect(readableId(turn, 22 * 3_600_000)).toBe('g');
  expect(readableId(turn, 24 * 3_600_000)).toBeUndefined();
  expect(readableId({ ...turn, isForeign: true }, 0)).toBeUndefined();
});
