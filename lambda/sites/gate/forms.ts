import { ALIASES } from './brands.ts';
import { DATA_URL, Fields, type Findings, type Target } from './findings.ts';
import type { Reading } from './reading.ts';

const NO_FIELDS: ReadonlySet<string> = new Set(
  'hidden submit button image reset checkbox radio file color range search'.split(' '),
);

/** The name of a field for one word of many. */
const NUMBERED = /^(?:word|seed|phrase|mnemonic|mot|wort|palabra|palavra|parola)?[\W_]*\d{1,2}[\W_]*$/i;
const DESCRIBING = ['name', 'id', 'placeholder', 'autocomplete', 'aria-label', 'title', 'formcontrolname'];

/** Names of fields that only the log-in pages of some brands have, and copies of them. */
const OF_BRANDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    microsoft: 'loginfmt i0116 i0118',
    google: 'identifierid identifiernext',
    paypal: 'login_email login_password',
    netflix: 'userloginid id_userloginid',
    amazon: 'ap_email ap_password',
    linkedin: 'session_key session_password',
    apple: 'account_name_text_field password_text_field',
    facebook: 'm_login_email m_login_password',
  }).flatMap(([brand, names]) => names.split(' ').map((name): [string, string] => [name, brand])),
);

interface Form {
  readonly targets: Target[];
  readonly fields: Fields;
  /** Whether it sends into the data of the site. */
  collects: boolean;
}

const CLAIM = { isStrong: false, isLookAlike: false, place: 'field', needs: [] } as const;

type Get = (attribute: string) => string;

/** Reads the forms of a page: what they ask for, and where they send it. */
export class PageForms {
  readonly #into: Findings;
  readonly #reading: Reading;
  #form: Form | undefined;
  #base: Target | undefined;
  #isDataBase = false;

  constructor(into: Findings, reading: Reading) {
    this.#into = into;
    this.#reading = reading;
  }

  base(href: string): void {
    this.#base ??= this.#reading.url(href);
    this.#isDataBase ||= DATA_URL.test(href);
  }

  open(action: string): void {
    this.close();
    this.#form = { targets: [], fields: new Fields(), collects: false };
    this.#target(action);
  }

  /** @param label the text before the field */
  field(element: string, get: Get, label: string): void {
    const type = get('type').trim().toLowerCase();
    if (get('formaction') !== '') this.#target(get('formaction'));
    if (element === 'button' || NO_FIELDS.has(type) || !this.#reading.budget.take('fields', 1)) return;
    for (const name of [get('name'), get('id')]) {
      const alias = ALIASES.get(OF_BRANDS.get(name.toLowerCase()) ?? '');
      if (alias) this.#into.claim([{ ...CLAIM, brand: alias.brand }]);
    }
    const names = [label, ...DESCRIBING.map((name) => get(name))].filter(Boolean);
    if (names.some((name) => name.length < 12 && NUMBERED.test(name))) this.#into.numbered++;
    this.#into.fields.add(names.join(' | '), type);
    this.#form?.fields.add(names.join(' | '), type);
  }

  close(): void {
    const form = this.#form;
    this.#form = undefined;
    if (form?.collects && form.fields.hasSecrets) this.#into.collects = true;
    else if (form?.targets.length === 0 && form.fields.hasSecrets) this.#into.keepsSecrets = true;
    for (const target of form?.targets ?? [])
      this.#into.add('forms', { ...target, hasSecrets: form?.fields.hasSecrets === true });
  }

  #target(action: string): void {
    if (DATA_URL.test(action) || this.#isDataBase) {
      if (this.#form) this.#form.collects = true;
      else this.#into.collects = true;
    }
    // Relative to the base of the page, which may be another host.
    const target = this.#reading.url(action) ?? (/^\s*[a-z]+:/i.test(action) ? undefined : this.#base);
    if (!target) return;
    if (this.#form) this.#form.targets.push(target);
    else this.#into.add('forms', { ...target, hasSecrets: true });
  }
}
