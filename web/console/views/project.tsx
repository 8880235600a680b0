import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { deploy } from '../effects/deploy.ts';
import { open } from '../effects/open.ts';
import { download } from '../effects/own-files.ts';
import { wantedOf } from '../state/fragment.ts';
import { runningTurn } from '../state/turn.ts';
import type { Failure, OpenProject, Tab } from '../state/types.ts';
import { useConsole, useWide } from './console.ts';
import { Conversation } from './conversation.tsx';
import { FilesPanel } from './files-panel.tsx';
import { KeyForm } from './key-form.tsx';
import { FailureText } from './notices.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { Publish } from './publish.tsx';
import { SiteData } from './site-data.tsx';

const TITLES: Readonly<Record<Tab, string>> = {
  chat: 'Chat',
  preview: 'Preview',
  files: 'Files',
  publish: 'Publish',
  data: 'Data',
};

/** A project: its conversation beside preview, files and deployment; on narrow pages, one of them. */
export function ProjectView() {
  const { project, missing, elsewhere } = useConsole().state;
  if (!project && elsewhere !== undefined) return <Elsewhere projectId={elsewhere} />;
  if (!project) return missing ? <Missing failure={missing} /> : <p class="empty">Opening the project…</p>;
  return <Opened key={project.projectId} project={project} />;
}

/** A project that the URL names, but that cannot be shown: after a reload, it may need its key again. */
function Missing({ failure }: { failure: Failure }) {
  const { context } = useConsole();
  const again = () => {
    const wanted = wantedOf(location.hash);
    if (wanted) void open(context, wanted);
  };
  return (
    <div class="account">
      <h1>The project cannot be opened</h1>
      <div class="notice failed inline" role="alert">
        <FailureText failure={failure} />
        <button type="button" onClick={again}>
          Try again
        </button>
      </div>
      <KeyForm onUse={again} />
    </div>
  );
}

/** One tab at a time changes a project, so that none overwrites the edits of another. */
function Elsewhere({ projectId }: { projectId: string }) {
  const { context, state } = useConsole();
  const { name = 'The project' } = state.gallery.find((entry) => entry.projectId === projectId) ?? {};
  return (
    <div class="account">
      <h1>Open in another tab</h1>
      <p>
        <b>{name}</b> is open in another tab of this browser. It can be used in one tab at a time, so that no edits are
        lost.
      </p>
      <p class="acts">
        <button class="primary" type="button" onClick={() => void open(context, { projectId }, { steal: true })}>
          Use it here
        </button>
      </p>
    </div>
  );
}

function Opened({ project }: { project: OpenProject }) {
  const { context, dispatch } = useConsole();
  const isWide = useWide();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const running = runningTurn(project.turns);
  // A new project appears file by file.
  const beside = running && project.files.size === 0 ? 'files' : 'preview';
  const shown: Tab = isWide && project.tab === 'chat' ? beside : project.tab;
  const tabs = (Object.keys(TITLES) as Tab[]).filter((name) => !(isWide && name === 'chat'));
  const isReady = project.files.size > 0 && !running && !project.busy;
  const panel = (
    <section class="panel" id={`panel-${shown}`} role="tabpanel" aria-labelledby={`tab-${shown}`} tabIndex={-1}>
      {shown === 'chat' && <Conversation />}
      {shown === 'preview' && <PreviewPanel />}
      {shown === 'files' && <FilesPanel />}
      {shown === 'publish' && <Publish />}
      {shown === 'data' && <SiteData />}
    </section>
  );
  return (
    <div class="project">
      <h1 class="hidden" ref={heading} tabIndex={-1}>
        {project.name}
      </h1>
      {isWide && (
        <section class="side" aria-label="Conversation">
          <Conversation />
        </section>
      )}
      <div class="work">
        <div class="bar tools">
          <Tabs
            label="Project"
            shown={shown}
            tabs={tabs.map((name) => ({ name, title: TITLES[name] }))}
            onShow={(tab) => dispatch({ type: 'tab', tab })}
          />
          <button type="button" disabled={project.files.size === 0} onClick={() => void download(context)}>
            Zip
          </button>
          <button class="primary" type="button" disabled={!isReady} onClick={() => void deploy(context)}>
            Deploy
          </button>
        </div>
        {panel}
      </div>
    </div>
  );
}

interface Props<Name extends string> {
  label: string;
  tabs: readonly { readonly name: Name; readonly title: ComponentChildren }[];
  shown: Name;
  onShow(name: Name): void;
}

/** Tabs that arrow keys move between (WAI-ARIA APG); their panels have the id `panel-<name>`. */
function Tabs<Name extends string>({ label, tabs, shown, onShow }: Props<Name>) {
  const index = tabs.findIndex(({ name }) => name === shown);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key];
    const next = step === undefined ? undefined : tabs.at((index + step) % tabs.length);
    if (!next) return;
    event.preventDefault();
    onShow(next.name);
    document.getElementById(`tab-${next.name}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
      {tabs.map(({ name, title }) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === shown}
          aria-controls={name === shown ? `panel-${name}` : undefined}
          tabIndex={name === shown ? 0 : -1}
          onClick={() => onShow(name)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
