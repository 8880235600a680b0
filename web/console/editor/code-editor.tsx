import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Editor } from './codemirror.ts';

interface CodeEditorProps {
  readonly path: string;
  readonly content: string;
  readonly readOnly: boolean;
  /** Where to put the cursor, once for each object. */
  readonly place?: { readonly line: number; readonly column?: number | undefined } | undefined;
  onChange?(content: string): void;
}

/** A file with highlighted syntax, to read and to change. The plain text is shown until the editor is loaded. */
export function CodeEditor({ path, content, readOnly, place, onChange }: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<Editor>();
  const changed = useRef(onChange);
  changed.current = onChange;
  useEffect(() => {
    let closed = false;
    let created: Editor | undefined;
    import('./codemirror.ts').then(
      ({ createEditor }) => {
        if (closed || host.current === null) return;
        const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
        created = createEditor(root, (text) => changed.current?.(text));
        setEditor(created);
      },
      // Without a connection, the text can still be read.
      () => {},
    );
    return () => {
      closed = true;
      created?.close();
    };
  }, []);
  // At once: a deferred effect would take back what is typed until it runs.
  useLayoutEffect(() => editor?.show(path, content, readOnly), [editor, path, content, readOnly]);
  // After the file is shown.
  useLayoutEffect(() => {
    if (place) editor?.goTo(place.line, place.column);
  }, [editor, place]);
  return (
    <div class="code-editor">
      <div class="code-editor-host" ref={host} hidden={editor === undefined} />
      {!editor && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        <section tabIndex={0} aria-label={path}>
          <pre>{content}</pre>
        </section>
      )}
    </div>
  );
}
