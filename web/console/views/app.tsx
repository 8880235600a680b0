import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { ConsoleData } from '../data.ts';
import type { Context } from '../effects/context.ts';
import { uploadDropped } from '../effects/own-files.ts';
import { projectFragment } from '../state/fragment.ts';
import { runningTurn } from '../state/turn.ts';
import type { State } from '../state/types.ts';
import { AccountView } from './account.tsx';
import { ConsoleContext, useConsole } from './console.ts';
import { Home } from './home.tsx';
import { Notices } from './notices.tsx';
import { ProjectView } from './project.tsx';

/** The bar at the top. */
function Header() {
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

/** The content of the page, which takes a folder or a zip that is dropped on it. */
function DropArea({ children }: { children: ComponentChildren }) {
  const { context } = useConsole();
  const [isOver, setOver] = useState(false);
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true;
  return (
    <main
      id="main"
      tabIndex={-1}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event) || !event.dataTransfer) return;
        event.preventDefault();
        setOver(false);
        void uploadDropped(context, event.dataTransfer);
      }}
    >
      {children}
      {isOver && <p class="drop-hint">Drop a folder or a zip to open it as a project</p>}
    </main>
  );
}

/** Returns what the view shows; undefined for the first one. */
function titleOf({ view, project }: State): string | undefined {
  if (view === 'project') return project?.name;
  return view === 'account' ? 'Account' : undefined;
}

/** The whole console. */
export function App({ context, data }: { context: Context; data: ConsoleData }) {
  const [state, setState] = useState(context.store.state);
  useLayoutEffect(() => {
    setState(context.store.state);
    return context.store.subscribe(setState);
  }, [context]);
  const value = useMemo(() => ({ state, context, data, dispatch: context.store.dispatch }), [state, context, data]);
  const name = titleOf(state);
  useEffect(() => {
    document.title = name ? `${name} · prompt-to-project` : 'prompt-to-project';
  }, [name]);
  return (
    <ConsoleContext.Provider value={value}>
      {/* biome-ignore lint/a11y/useValidAnchor: a link, as on other pages */}
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to the content
      </a>
      <Header />
      <DropArea>
        {state.view === 'home' && <Home />}
        {state.view === 'account' && <AccountView />}
        {state.view === 'project' && <ProjectView />}
      </DropArea>
      <Notices />
      <p class="hidden" role="status">
        {state.statusMessage}
      </p>
    </ConsoleContext.Provider>
  );
}

/** The fragment of the URL names what is shown, so the link must not change it. */
function focusMain(event: Event) {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}
