import { type Action, turnOf } from './actions.ts';
import { lookSentence } from './looks.ts';
import type { State } from './types.ts';

/** Returns what screen readers say after an action; undefined for nothing new. */
export function statusMessageOf({ project }: State, action: Action): string | undefined {
  switch (action.type) {
    case 'status':
      return action.text;
    case 'started':
    case 'followed':
      return 'Generation started';
    case 'event': {
      const { type, data } = action.event;
      if (type === 'plan') return `${data.files.length} files are planned`;
      if (type === 'file') return `Wrote ${data.path}`;
      if (type === 'look') return data.state === 'skipped' ? undefined : lookSentence(data);
      if (type === 'attempt' && data.outcome && !['succeeded', 'cut_off'].includes(data.outcome))
        return `${data.model} ${data.outcome.replace('_', ' ')}`;
      return undefined;
    }
    case 'settled': {
      const status = turnOf(project, action.key)?.status.replace('_', ' ');
      return `Generation ${status}: ${action.resource.files.length} files`;
    }
    case 'deployed':
      return `Deployed at ${action.deployed.url}`;
    case 'built':
      return 'The preview shows the build';
    case 'buildFailed':
      return 'The build failed';
    case 'ended':
      return `Deployment ${action.end}`;
    case 'moved':
      return 'Files restored';
    default:
      return undefined;
  }
}
