import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Frames } from './frames.ts';
import type { Files } from './messages.ts';

export interface PreviewProps {
  /** They have a page to start from. */
  readonly files: Files;
  readonly width: 'phone' | 'desktop';
  /** Called with `path:line: message` for each error of the page. */
  readonly onProblem?: (message: string) => void;
}

/** A page that is wider than the box is scaled down to it. */
const DESKTOP_WIDTH = 1_280;

/** Runs a project that nobody trusts, isolated from the console (docs/decisions/0033). */
export function Preview({ files, width, onProblem }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  const frames = useRef<Frames>(undefined);
  const report = useRef(onProblem);
  report.current = onProblem;
  useEffect(() => {
    if (box.current === null) return;
    const own = new Frames(box.current, (message) => report.current?.(message));
    frames.current = own;
    return () => own.close();
  }, []);
  useLayoutEffect(() => {
    const outer = box.current?.parentElement;
    if (!outer) return;
    const observer = new ResizeObserver(() => {
      outer.style.setProperty('--scale', String(Math.min(1, outer.clientWidth / DESKTOP_WIDTH)));
    });
    observer.observe(outer);
    return () => observer.disconnect();
  }, []);
  useEffect(() => frames.current?.update(files), [files]);
  return (
    <div class={`preview ${width}`}>
      <div class="preview-frames" ref={box} />
    </div>
  );
}
