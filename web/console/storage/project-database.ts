import type { KeptProject } from '../state/kept-project.ts';
import { beyondRoom, type KeptSize, oldestOther, type ProjectStore } from './project-store.ts';

const NAME = 'ptp';
const PROJECTS = 'projects';
/** Beside the projects, because reading one takes time. */
const SIZES = 'sizes';

/** Projects in the IndexedDB of this origin. */
export class ProjectDatabase implements ProjectStore {
  #opened: Promise<IDBDatabase> | undefined;

  constructor() {
    // Before it is needed: a page that is being closed does not wait for it.
    this.#open().catch(() => {});
  }

  /** Deletes what an earlier configuration of the service kept. */
  static clear(): void {
    try {
      indexedDB.deleteDatabase(NAME);
    } catch {
      // Without storage, nothing is kept.
    }
  }

  async read(projectId: string): Promise<KeptProject | undefined> {
    const transaction = (await this.#open()).transaction(PROJECTS);
    return resultOf<KeptProject | undefined>(transaction.objectStore(PROJECTS).get(projectId));
  }

  async write(project: KeptProject): Promise<readonly string[]> {
    const { projectId } = project;
    const evicted: string[] = [];
    for (;;) {
      try {
        await this.#put(project);
        break;
      } catch (error) {
        const oldest = isFull(error) ? oldestOther(await this.#sizes(), projectId) : undefined;
        if (oldest === undefined) throw error;
        await this.delete(oldest);
        evicted.push(oldest);
      }
    }
    const beyond = beyondRoom(await this.#sizes(), projectId);
    for (const other of beyond) await this.delete(other);
    return [...evicted, ...beyond];
  }

  delete(projectId: string): Promise<void> {
    return this.#change((projects, sizes) => {
      projects.delete(projectId);
      sizes.delete(projectId);
    });
  }

  #put(project: KeptProject): Promise<void> {
    const { projectId, at, bytes } = project;
    const size: KeptSize = { projectId, at, bytes };
    return this.#change((projects, sizes) => {
      projects.put(project);
      sizes.put(size);
    });
  }

  async #sizes(): Promise<KeptSize[]> {
    const transaction = (await this.#open()).transaction(SIZES);
    return resultOf<KeptSize[]>(transaction.objectStore(SIZES).getAll());
  }

  async #change(change: (projects: IDBObjectStore, sizes: IDBObjectStore) => void): Promise<void> {
    const transaction = (await this.#open()).transaction([PROJECTS, SIZES], 'readwrite');
    const end = new Promise<void>((done, failed) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => failed(transaction.error);
    });
    change(transaction.objectStore(PROJECTS), transaction.objectStore(SIZES));
    // At once, so that it takes place when the page is being closed, too.
    transaction.commit();
    return end;
  }

  #open(): Promise<IDBDatabase> {
    this.#opened ??= openDatabase(() => {
      this.#opened = undefined;
    });
    return this.#opened;
  }
}

/** @param onClose is called when the database has to be opened again */
async function openDatabase(onClose: () => void): Promise<IDBDatabase> {
  try {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const name of [PROJECTS, SIZES]) request.result.createObjectStore(name, { keyPath: 'projectId' });
    };
    const database = await resultOf(request);
    database.onclose = onClose;
    database.onversionchange = () => {
      database.close();
      onClose();
    };
    return database;
  } catch (error) {
    onClose();
    throw error;
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });
}

/** Whether the browser allows this origin no more room. */
export const isFull = (error: unknown) => error instanceof DOMException && error.name === 'QuotaExceededError';
