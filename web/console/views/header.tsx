import { projectFragment } from '../effects/route.ts';
import { runningTurn } from '../state/turn.ts';
import { useConsole } from './console.ts';

/** The bar at the top. */
export function Header() {
  const { state, dispatch } = useConsole();
  const home = (event: MouseEvent) => {
    // With a key, browsers open it in a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    dispatch({ type: 'shown', view: 'home' });
  };
  const { project, view, key } = state;
  return (
    <header class="bar top">
      <a class="brand" href="/" aria-current={view === 'home' ? 'page' : undefined} onClick={home}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M2 4l5 4-5 4M8 12h6" />
        </svg>
        <span>prompt-to-project</span>
      </a>
      <nav aria-label="Console" class="bar">
        {project && view !== 'project' && (
          <a href={projectFragment(project)}>{runningTurn(project.turns) ? 'Running…' : 'Project'}</a>
        )}
        <a href="#account" aria-current={view === 'account' ? 'page' : undefined}>
          {key === undefined ? 'Account' : `Key …${key}`}
        </a>
        <a href="/docs">Docs</a>
      </nav>
    </header>
  );
}
