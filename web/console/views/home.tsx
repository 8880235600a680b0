import { useRef, useState } from 'preact/hooks';
import { start } from '../effects/generate.ts';
import { uploadPicked } from '../effects/own-files.ts';
import { useConsole } from './console.ts';
import { Gallery } from './gallery.tsx';
import { PromptBox } from './prompt-box.tsx';

const EXAMPLES = [
  'A pomodoro timer with a dark theme',
  'A kanban board for a moving day',
  'A quiz about the planets',
  'A snake game',
  'An expense tracker in Spanish',
  'A landing page for a bakery',
];

/** The start of the console: the prompt comes first. */
export function Home() {
  const { context, data } = useConsole();
  const [given, setGiven] = useState(promptOfUrl);
  const isEmbedded = data.providers.length > 0 && data.providers.every(({ model }) => model === 'blueprint');
  return (
    <div class="home">
      <h1>What do you want to build?</h1>
      <p class="lead">A prompt becomes a project of several files, and files become a public page.</p>
      <PromptBox
        label="What to build"
        placeholder="A pomodoro timer with a dark theme"
        submit="Generate"
        given={given}
        onSubmit={(form) => void start(context, form)}
      />
      <fieldset class="examples" aria-label="Examples">
        {EXAMPLES.map((prompt) => (
          <button key={prompt} type="button" onClick={() => setGiven({ prompt, count: given.count + 1 })}>
            {prompt}
          </button>
        ))}
      </fieldset>
      {isEmbedded && (
        <p class="note">
          This service has no language model. Its embedded provider chooses one of its starter projects by the words of
          the prompt, and adapts names, texts and colors.
        </p>
      )}
      <Upload />
      <Gallery />
    </div>
  );
}

/** `/?prompt=…` fills the box, and sends nothing: a link must not spend what a visitor has. */
function promptOfUrl() {
  return { prompt: new URLSearchParams(location.search).get('prompt') ?? '', count: 0 };
}

function Upload() {
  const { context } = useConsole();
  const folder = useRef<HTMLInputElement>(null);
  const zip = useRef<HTMLInputElement>(null);
  const onChange = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    if (currentTarget.files?.length) void uploadPicked(context, currentTarget.files);
    currentTarget.value = '';
  };
  return (
    <section class="upload" aria-label="Deploy without generating">
      <p>
        Have files already? Drop a folder or a zip here, or choose{' '}
        <button type="button" onClick={() => folder.current?.click()}>
          a folder
        </button>{' '}
        <button type="button" onClick={() => zip.current?.click()}>
          a zip
        </button>
      </p>
      <input ref={folder} type="file" hidden {...{ webkitdirectory: true }} multiple onChange={onChange} />
      <input ref={zip} type="file" hidden accept=".zip" onChange={onChange} />
    </section>
  );
}
