import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { ConsoleData } from '../data.ts';
import type { Context } from '../effects/context.ts';
import type { State } from '../state/types.ts';
import { AccountView } from './account.tsx';
import { ConsoleContext } from './console.ts';
import { DropArea } from './drop-area.tsx';
import { Header } from './header.tsx';
import { Home } from './home.tsx';
import { Notices } from './notices.tsx';
import { ProjectView } from './project.tsx';

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
  const value = useMemo(
    () => ({ state, context, data, dispatch: context.store.dispatch }),
    [state, context, data],
  );
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
