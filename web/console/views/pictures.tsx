import { useEffect, useRef, useState } from 'preact/hooks';
import type { LookWidth } from '../../../lambda/contract/looks.ts';
import { pictureUrl } from '../effects/looks.ts';
import type { PictureSource } from '../state/looks.ts';
import { useConsole } from './console.ts';

const DEVICES = { 390: 'phone', 1280: 'desktop' } as const satisfies Record<LookWidth, string>;

interface Props {
  readonly source: PictureSource;
  /** The text for people who do not see the picture, such as the title of the page. */
  readonly name: string;
}

/** Without a source, the place of the pictures stays empty. */
type PlaceProps = Pick<Props, 'name'> & { readonly source: PictureSource | undefined };

/** How a page looks on a phone, beside how it looks on a desktop. A press enlarges both. */
export const Pictures = (props: PlaceProps) => <Place {...props} kind="pictures" widths={[390, 1280]} />;

/** How a page looks on a phone, small, for a row of a list. A press shows it on a desktop, too. */
export const Thumb = (props: PlaceProps) => <Place {...props} kind="thumb" widths={[390]} />;

interface KindProps extends PlaceProps {
  readonly kind: 'pictures' | 'thumb';
  readonly widths: readonly LookWidth[];
}

function Place({ kind, source, name, widths }: KindProps) {
  const [isOpen, setOpen] = useState(false);
  if (!source)
    return (
      <div class={kind}>
        {widths.map((width) => (
          <span key={width} class={`picture ${DEVICES[width]}`} />
        ))}
      </div>
    );
  return (
    <>
      <button type="button" class={kind} aria-label={`Enlarge ${name}`} onClick={() => setOpen(true)}>
        {widths.map((width) => (
          <Picture key={width} source={source} name={name} width={width} />
        ))}
      </button>
      {isOpen && <Enlarged source={source} name={name} onClose={() => setOpen(false)} />}
    </>
  );
}

function Enlarged({ source, name, onClose }: Props & { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      class="enlarged"
      aria-label={name}
      onClose={onClose}
      onClick={({ target }) => target === dialog.current && close()}
    >
      <div class="bar">
        <h2>{name}</h2>
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
      <div>
        {([390, 1280] as const).map((width) => (
          <figure key={width}>
            <figcaption>{`${width}\u00a0px`}</figcaption>
            <Picture source={source} name={name} width={width} />
          </figure>
        ))}
      </div>
    </dialog>
  );
}

/** A picture in a place of fixed size. It is requested once it comes into view. */
function Picture({ source, name, width }: Props & { readonly width: LookWidth }) {
  const { context } = useConsole();
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string>();
  const key = JSON.stringify(source);
  useEffect(() => {
    const shown = new AbortController();
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      void pictureUrl(context, source, width, shown.signal).then((found) => {
        if (!shown.signal.aborted) setUrl(found);
      });
    });
    if (place.current) observer.observe(place.current);
    return () => {
      observer.disconnect();
      shown.abort();
      setUrl(undefined);
    };
  }, [context, key, width]);
  return (
    <span ref={place} class={`picture ${DEVICES[width]}`}>
      {url !== undefined && <img src={url} alt={`${name}, ${width} pixels wide`} />}
    </span>
  );
}
