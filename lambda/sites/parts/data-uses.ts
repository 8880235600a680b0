import { DATA_FILE } from '../data/declaration-text.ts';
import { DATA_CLIENT, dataPathOf } from '../paths.ts';

/** Where a file uses the data of the site: a call of `collection`, or a URL below `.data/`. */
export interface DataUse {
  /** The collection; undefined if it is only known when the code runs, or none is meant. */
  readonly collection?: string | undefined;
  /** The URL as it is written, at least its beginning. */
  readonly url?: string;
  /** Whether the rest of the URL, or the name of the collection, is only known when the code runs. */
  readonly isOpen: boolean;
  /** Its offset in the file. */
  readonly index: number;
}

/** A form of a page that sends to the data of the site. */
export interface DataForm {
  readonly collection: string;
  readonly action: string;
  readonly isPost: boolean;
  /** The names of its fields, without those of the service (`_next`). */
  readonly fields: readonly string[];
  /** Whether a script may add fields: an element in it is empty. */
  readonly isOpen: boolean;
  /** Its offset in the file. */
  readonly index: number;
}

/** A URL below `.data/` in a text, up to the end of the collection's name. */
const DATA = /(?<![\w.~-])\.data\/(?:(client\.js)|([\w-]*))/g;
/** The text before it in a URL that leads up, or to the root; the end of it if it is longer. */
const ABOVE = /(?:^|[^\w.~/-])((?:\.{0,2}\/)+)$/;
/** The text before it in a URL of another site. */
const ELSEWHERE = /\/\/[^\s"'`()<>{}/][^\s"'`()<>{}]*$/;
const LONGEST_BEFORE = 200;

/**
 * Returns the URLs below `.data/` in a string of a script, without those of other sites.
 * @param index the offset of the string in the file
 * @param goesOn whether an interpolation follows the string
 */
export function dataUrlsIn(text: string, index: number, goesOn: boolean): DataUse[] {
  if (!text.includes('.data/')) return [];
  return Array.from(text.matchAll(DATA)).flatMap((match): DataUse[] => {
    const [found, client, name = ''] = match;
    // What `${` cuts off may go on with the name.
    const isOpen = client === undefined && goesOn && text.slice(match.index + found.length) === '${';
    // The folder alone is what service workers look for.
    if (client === undefined && name === '' && !isOpen) return [];
    const before = text.slice(Math.max(0, match.index - LONGEST_BEFORE), match.index);
    if (ELSEWHERE.test(before)) return [];
    const above = ABOVE.exec(before)?.[1] ?? '';
    const isNamed = client === undefined && !isOpen && name !== 'owner';
    const collection = isNamed ? name : undefined;
    return [{ collection, url: above + found, isOpen, index: index + match.index - above.length }];
  });
}

/** Returns the uses that count: without the data's client in any file, a function named `collection` is another one. */
export function countedUses(uses: readonly DataUse[]): DataUse[] {
  const hasClient = uses.some(({ url }) => url?.endsWith(`.data/${DATA_CLIENT}`));
  return uses.filter(({ url }) => hasClient || url !== undefined);
}

/**
 * Returns what is wrong with the use of a collection, as the predicate of the file; undefined if it is declared.
 * @param declared the names in `_data.json`; undefined without the file
 * @param place where `_data.json` would be
 */
export function undeclaredUse(
  { collection }: Pick<DataUse, 'collection'>,
  declared: Iterable<string> | undefined,
  place: string,
): string | undefined {
  if (collection === undefined) return undefined;
  if (declared === undefined)
    return `uses the collection "${collection}", and there is no ${DATA_FILE} ${place} that declares it`;
  const names = [...declared];
  if (names.includes(collection)) return undefined;
  return `uses the collection "${collection}", which ${DATA_FILE} does not declare: it declares ${names.join(', ') || 'none'}`;
}

/** Returns the number of the line with an offset. */
export const lineOf = (content: string, index: number): number => content.slice(0, index).split('\n').length;

type Attributes = Readonly<Record<string, string>>;

/** Elements that scripts fill; what else is empty in a form shows messages. */
const CONTAINERS = new Set(['div', 'fieldset', 'ul', 'ol', 'section', 'tbody', 'select']);
const FIELDS = new Set(['input', 'select', 'textarea', 'button']);
/** Inputs that submit no value of their own. */
const WITHOUT_VALUE = /^(?:submit|reset|button|image)$/i;

interface OpenForm extends Omit<DataForm, 'fields' | 'isOpen'> {
  readonly id: string;
  readonly fields: Set<string>;
  isOpen: boolean;
}

/** Finds what the elements of a page send to the data of its site. */
export class DataForms {
  readonly uses: DataUse[] = [];
  readonly #forms: OpenForm[] = [];
  /** The form that is open, if it sends to data. */
  #inside: OpenForm | undefined;
  /** The container that was opened last, if nothing has come since. */
  #empty: string | undefined;
  /** Names of fields by the id of the form that they name. */
  readonly #elsewhere: { readonly form: string; readonly name: string }[] = [];

  get forms(): DataForm[] {
    const byId = new Map(this.#forms.map((form) => [form.id, form]));
    for (const { form, name } of this.#elsewhere) byId.get(form)?.fields.add(name);
    return this.#forms.map(({ id, fields, ...form }) => ({ ...form, fields: [...fields] }));
  }

  /** @param index the offset of the tag */
  open(element: string, attributes: Attributes, index: number): void {
    for (const name of ['action', 'formaction', 'href', 'src']) {
      const url = attributes[name];
      for (const use of dataUrlsIn(url ?? '', index, false)) this.uses.push({ ...use, index });
    }
    if (element === 'form') this.#inside = this.#formOf(attributes, index);
    this.#empty = CONTAINERS.has(element) ? element : undefined;
    if (FIELDS.has(element)) this.#addField(element, attributes);
  }

  text(text: string): void {
    if (text.trim() !== '') this.#empty = undefined;
  }

  close(element: string): void {
    if (this.#inside && this.#empty === element) this.#inside.isOpen = true;
    this.#empty = undefined;
    if (element === 'form') this.#inside = undefined;
  }

  #formOf({ action = '', method = '', id = '' }: Attributes, index: number): OpenForm | undefined {
    const collection = dataPathOf(action.trim());
    if (!collection || collection.includes('/')) return undefined;
    const isPost = method.trim().toLowerCase() === 'post';
    const form = { collection, action, isPost, id, fields: new Set<string>(), isOpen: false, index };
    this.#forms.push(form);
    return form;
  }

  #addField(element: string, { name = '', type = '', form }: Attributes): void {
    const isValue = element !== 'button' && !WITHOUT_VALUE.test(type.trim());
    if (name.startsWith('_')) return;
    if (name === '') {
      // A script may read it by its id.
      if (isValue && this.#inside) this.#inside.isOpen = true;
    } else if (form !== undefined) this.#elsewhere.push({ form, name });
    else this.#inside?.fields.add(name);
  }
}
