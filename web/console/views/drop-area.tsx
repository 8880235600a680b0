import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { uploadDropped } from '../effects/upload.ts';
import { useConsole } from './console.ts';

/** The content of the page, which takes a folder or a zip that is dropped on it. */
export function DropArea({ children }: { children: ComponentChildren }) {
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
