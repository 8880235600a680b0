import { dataPathOf } from '../../sites/data-url.ts';
import { dataUrlsIn } from './data-uses.ts';
import type { DataForm, DataUse } from './parts.ts';

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
