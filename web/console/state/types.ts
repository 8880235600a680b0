import type {
  BuildProblem,
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

export interface Working {
  readonly files: Files;
  /** Changed since the generation that they are from, so that a follow-up sends them. */
  readonly edited: boolean;
}

/** A generation in a conversation. */
export interface Turn extends Form {
  /** Also its idempotency key. */
  readonly key: string;
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
  readonly files?: Files;
  /** What it changes; undefined for the first one and if it was not loaded. */
  readonly base?: Working;
  readonly changes?: NonNullable<GenerationResource['changes']>;
  readonly problems?: readonly string[];
  /** What a browser saw after the attempts, by their numbers. */
  readonly looks: ReadonlyMap<number, Look>;
  /** What it saw of the project as it is, once the generation is over. */
  readonly look?: Look;
  /** Why the project was not published, if the generation was to do that. */
  readonly deploymentError?: NonNullable<GenerationResource['deploymentError']>;
  readonly matched?: string | null;
  /** What it cost, once it is over. */
  readonly cost?: NonNullable<GenerationResource['cost']>;
  readonly costUnknown?: string;
  readonly failure?: Failure;
}

/** The deployment of a project. */
export interface PublishedSite {
  readonly id: string;
  readonly url: string;
  /** The live version, as far as this page knows. */
  readonly version: string;
  readonly token?: string | undefined;
  readonly title?: DeployResponse['title'];
  readonly warning?: string | undefined;
  readonly versions?: readonly VersionResource[];
  /** What a browser saw of the live version; undefined if that was not asked for. */
  readonly look?: Look | undefined;
  /** The files of the live version, if they were deployed by this page. */
  readonly files?: Files | undefined;
  readonly isDeleted?: boolean;
}

/** The build of a project that is source, for its preview. */
export interface Build {
  /** The source that is built, or was last. */
  readonly of: Files;
  readonly isRunning: boolean;
  /** The last build that succeeded, which may be one of earlier files. */
  readonly files?: Files | undefined;
  readonly warnings: readonly string[];
  /** What is wrong with the source. */
  readonly problems: readonly BuildProblem[];
  /** Why it was not built, if that is not known to be a fault of the source. */
  readonly failure?: Failure | undefined;
}

/** A place in a file to show. A new object for each time that it is asked for. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
}

export type Tab = 'chat' | 'preview' | 'files' | 'publish';

export interface OpenProject extends Working {
  /** Deploys with it share one URL. */
  readonly projectId: string;
  readonly name: string;
  readonly turns: readonly Turn[];
  /** Index of the turn that the files are from; -1 without one. */
  readonly at: number;
  readonly tab: Tab;
  readonly selected?: string | undefined;
  /** Where to go in the selected file. */
  readonly place?: Place | undefined;
  /** Undefined if the files are no source. */
  readonly build?: Build | undefined;
  /** A prompt that was suggested for the next change; the counter makes each suggestion a new one. */
  readonly suggested?: { readonly prompt: string; readonly count: number } | undefined;
  readonly site?: PublishedSite | undefined;
  readonly busy?: 'deploy' | 'rollback' | 'delete' | 'undo' | undefined;
  /** Another version went live since the one that this page knows. */
  readonly conflict?: VersionResource | undefined;
}

/** What this browser made: an entry of the gallery. */
export interface GalleryEntry {
  readonly projectId: string;
  readonly name: string;
  readonly at: number;
  readonly generation?: string | undefined;
  readonly site?: Pick<PublishedSite, 'id' | 'url' | 'version' | 'token'> | undefined;
  /** Of what there are pictures. */
  readonly seen?: 'site' | 'generation' | undefined;
  /** Made with an API key, which is needed to open it. */
  readonly keyed: boolean;
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
  /** Of the last request other than a generation. */
  readonly failure?: Failure | undefined;
  readonly gallery: readonly GalleryEntry[];
  /** The last event, for screen readers. */
  readonly statusMessage: string;
}
