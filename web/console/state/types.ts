import type {
  BuildProblem,
  DeploymentResource,
  DeployResponse,
  GenerationResource,
  Look,
  VersionResource,
} from '../../../client/client.ts';

export type Content = string | Uint8Array;
/** Files of a project by path. */
export type Files = ReadonlyMap<string, Content>;

export interface Form {
  readonly prompt: string;
  readonly model: GenerationResource['model'];
  readonly duration: GenerationResource['duration'];
}

/** A failed request, as data. */
export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | undefined;
}

/** @typeParam F how files are written: with their contents, or as they are kept (`kept-project.ts`) */
export interface Working<F = Files> {
  readonly files: F;
  /** Changed since the generation that they are from, so that a follow-up sends them. */
  readonly edited: boolean;
}

/** A generation in a conversation. */
export interface Turn<F = Files> extends Form {
  /** Also its idempotency key. */
  readonly key: string;
  /** Made with an API key. */
  readonly keyed: boolean;
  /** The service does not give its generation to this page: the key is another one. */
  readonly isForeign?: boolean;
  /** Id of the generation, once the service has created it. */
  readonly id?: string;
  readonly status: 'starting' | GenerationResource['status'];
  readonly startedAt: number;
  readonly finishedAt?: number;
  readonly attempts: GenerationResource['attempts'];
  readonly plan?: NonNullable<GenerationResource['plan']>;
  /** Paths that it has written, in order. */
  readonly written: readonly string[];
  /** The files that are being written, as of the last seconds. */
  readonly writing: NonNullable<GenerationResource['writing']>;
  /** Its files so far, or its result; undefined if they were not loaded. */
  readonly files?: F | undefined;
  /** The files that it changes; undefined for the first one and if they were not loaded. */
  readonly base?: Working<F> | undefined;
  readonly changes?: NonNullable<GenerationResource['changes']>;
  readonly problems?: readonly string[];
  /** The looks of a browser after the attempts, by their numbers. */
  readonly looks: ReadonlyMap<number, Look>;
  /** The look at the project as it is, once the generation is over. */
  readonly look?: Look;
  /** Why the project was not published, if the generation was to do that. */
  readonly deploymentError?: NonNullable<GenerationResource['deploymentError']>;
  readonly matched?: string | null;
  /** The cost, once it is over. */
  readonly cost?: NonNullable<GenerationResource['cost']>;
  readonly costUnknown?: string;
  readonly failure?: Failure;
}

/** Who may see a page. */
export type Access = DeploymentResource['access'];

/** The choices for a page that is not published yet. */
export interface Sharing {
  readonly access: Access;
  /** In memory only: nothing stores it. */
  readonly password: string;
  /** How long the link is valid. */
  readonly linkSeconds: number;
}

/** The deployment of a project. */
export interface PublishedSite<F = Files> {
  readonly id: string;
  readonly url: string;
  /** The live version, as far as this page knows. */
  readonly version: string;
  /** Manages the page as long as no key owns it. */
  readonly token?: string | undefined;
  /** From when on the page is gone, in Unix milliseconds; undefined if it stays. */
  readonly expiresAt?: number | undefined;
  readonly access?: Access | undefined;
  readonly link?: DeploymentResource['link'] | undefined;
  readonly domains?: DeploymentResource['domains'] | undefined;
  /** Why visitors do not see the page, or did not. */
  readonly review?: DeploymentResource['review'] | undefined;
  /** Until when the edge may have copies from before a change of the access, in Unix milliseconds. */
  readonly copiesUntil?: number | undefined;
  readonly title?: DeployResponse['title'];
  readonly warning?: string | undefined;
  readonly versions?: readonly VersionResource[];
  /** The look at the live version; undefined if it was not requested. */
  readonly look?: Look | undefined;
  /** The files of the live version, if they were deployed by this page. */
  readonly files?: F | undefined;
  /** Why it is gone, if that is known. */
  readonly end?: 'deleted' | 'expired' | undefined;
  /** It belongs to another key than the one that this page has, or this page has none. */
  readonly isForeign?: boolean;
}

/** The build of a project that is source, for its preview. */
export interface Build {
  /** The source that is built, or was last. */
  readonly of: Files;
  readonly isRunning: boolean;
  /** The last build that succeeded, which may be one of earlier files. */
  readonly files?: Files | undefined;
  readonly warnings: readonly string[];
  readonly problems: readonly BuildProblem[];
  /** Why it was not built, if that is not known to be a fault of the source. */
  readonly failure?: Failure | undefined;
}

/** A place in a file to show. A new object for each time that it is asked for. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
}

/** A file or folder of the visitor that is not part of a project. */
export interface LeftOut {
  readonly path: string;
  readonly reason: string;
}

export type Tab = 'chat' | 'preview' | 'files' | 'publish' | 'data';

export interface OpenProject<F = Files> extends Working<F> {
  /** Deploys with it share one URL. */
  readonly projectId: string;
  readonly name: string;
  /** Unix milliseconds. */
  readonly begunAt: number;
  readonly turns: readonly Turn<F>[];
  /** Index of the turn that the files are from; -1 without one. */
  readonly at: number;
  readonly tab: Tab;
  /** The files that an upload left out. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  readonly selected?: string | undefined;
  /** Where to go in the selected file. */
  readonly place?: Place | undefined;
  /** Undefined if the files are no source. */
  readonly build?: Build | undefined;
  /** A prompt that was suggested for the next change; the counter makes each suggestion a new one. */
  readonly suggested?: { readonly prompt: string; readonly count: number } | undefined;
  readonly site?: PublishedSite<F> | undefined;
  /** Undefined once the page is published. */
  readonly sharing?: Sharing | undefined;
  /** Files that are somewhere else, too: published, in a zip, or in the folder that they are from. */
  readonly safe?: F | undefined;
  readonly busy?: 'deploy' | 'rollback' | 'delete' | 'undo' | 'claim' | 'access' | 'domain' | undefined;
  /** Another version went live since the one that this page knows. */
  readonly conflict?: VersionResource | undefined;
}

/** A project that this browser remembers: an entry of the gallery. */
export interface GalleryEntry {
  readonly projectId: string;
  readonly name: string;
  /** When it was begun, in Unix milliseconds. */
  readonly at: number;
  readonly generation?: string | undefined;
  readonly site?: Pick<PublishedSite, 'id' | 'url' | 'version' | 'token' | 'expiresAt' | 'access'> | undefined;
  /** What the pictures show, if there are any. */
  readonly seen?: 'site' | 'generation' | undefined;
  /** Made with an API key, which is needed for what the service has of it. */
  readonly keyed: boolean;
  /** Has edits that are nowhere else. */
  readonly edited?: boolean | undefined;
  /** When its files and its conversation were kept, in Unix milliseconds; undefined if they are not. */
  readonly keptAt?: number | undefined;
}

/** Why the browser does not keep the open project. */
export interface StorageProblem {
  readonly reason: 'full' | 'unavailable';
  readonly isDismissed: boolean;
}

/** A request waits for its retry. */
export interface Wait {
  readonly reason: 'rate_limited' | 'network' | 'unavailable';
  /** Unix time in milliseconds. */
  readonly until: number;
}

export type View = 'home' | 'project' | 'account';

export interface State {
  readonly view: View;
  readonly project?: OpenProject | undefined;
  /** The last characters of the API key, which itself is not part of the state. */
  readonly key?: string | undefined;
  readonly wait?: Wait | undefined;
  /** Why the project that the URL names cannot be shown. */
  readonly missing?: Failure | undefined;
  /** Id of the project that the URL names, if it is open in another tab. */
  readonly elsewhere?: string | undefined;
  readonly storageProblem?: StorageProblem | undefined;
  /** The failure of the last request other than a generation. */
  readonly failure?: Failure | undefined;
  readonly gallery: readonly GalleryEntry[];
  /** The last event, for screen readers. */
  readonly statusMessage: string;
}
