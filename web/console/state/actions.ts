import type {
  BuildProblem,
  Deployed,
  GenerationEvent,
  GenerationResource,
  VersionResource,
} from '../../../client/client.ts';
import type { DeploymentResource } from '../../../client/types.ts';
import type {
  Failure,
  Files,
  Form,
  GalleryEntry,
  LeftOut,
  OpenProject,
  Place,
  PublishedSite,
  Sharing,
  StorageProblem,
  Tab,
  Turn,
  View,
  Wait,
} from './types.ts';

/** Everything that changes the state. `at` is a Unix time in milliseconds. */
export type Action =
  | { type: 'shown'; view: View }
  | { type: 'opening' }
  | { type: 'missing'; failure: Failure }
  | { type: 'key'; key: string | undefined }
  | { type: 'waiting'; wait: Wait }
  | { type: 'responded' }
  | { type: 'failed'; failure: Failure }
  | { type: 'dismissed' }
  | { type: 'status'; text: string }
  | { type: 'forgotten'; projectId: string }
  | { type: 'loaded'; gallery: readonly GalleryEntry[] }
  | { type: 'kept'; projectId: string; evicted: readonly string[]; at: number }
  | { type: 'notKept'; reason: StorageProblem['reason'] }
  | { type: 'storageProblemDismissed' }
  | { type: 'elsewhere'; projectId: string }
  | { type: 'restored'; project: OpenProject }
  | { type: 'started'; projectId: string; key: string; form: Form; at: number }
  | {
      type: 'opened';
      projectId: string;
      key: string;
      resource: GenerationResource;
      site?: PublishedSite | undefined;
    }
  | {
      type: 'uploaded';
      projectId: string;
      name: string;
      files: Files;
      leftOut: readonly LeftOut[];
      at: number;
    }
  | { type: 'followed'; key: string; form: Form; at: number }
  | { type: 'retried'; key: string; newKey: string; at: number }
  | { type: 'ancestor'; resource: GenerationResource }
  | { type: 'identified'; key: string; id: string }
  | { type: 'event'; key: string; event: GenerationEvent; at: number }
  | { type: 'settled'; key: string; resource: GenerationResource; at: number }
  | { type: 'turnFailed'; key: string; failure: Failure; at: number }
  | { type: 'moved'; to: number; files: Files; edited: boolean }
  | { type: 'filesLoaded'; key: string; files: Files }
  | { type: 'edited'; path: string; content: string }
  | { type: 'tab'; tab: Tab }
  | { type: 'selected'; path: string; place?: Place }
  | { type: 'building'; of: Files }
  | { type: 'built'; of: Files; files: Files; warnings: readonly string[] }
  | { type: 'buildFailed'; of: Files; problems: readonly BuildProblem[]; failure?: Failure }
  | { type: 'unbuilt' }
  | { type: 'suggested'; prompt: string }
  | { type: 'busy'; with: OpenProject['busy'] }
  | { type: 'sharing'; sharing: Sharing }
  | { type: 'saved'; files: Files }
  | { type: 'deployed'; deployed: Deployed; files: Files }
  | { type: 'site'; resource: DeploymentResource }
  | { type: 'domains'; id: string; domains: DeploymentResource['domains'] }
  | { type: 'seen'; resource: DeploymentResource }
  | { type: 'conflict'; live: VersionResource | undefined }
  | { type: 'foreign' }
  | { type: 'copied'; projectId: string }
  | { type: 'ended'; end: NonNullable<PublishedSite['end']> };

export const turnOf = (project: OpenProject | undefined, key: string): Turn | undefined =>
  project?.turns.find((turn) => turn.key === key);
