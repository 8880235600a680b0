import type { Claim } from './claims.ts';
import { Fields } from './field-kinds.ts';
import type { ForeignUrl } from './hosts.ts';

/** A URL that gets what is typed into a page, or that a page leads to at once. */
export interface Target extends ForeignUrl {
  /** Whether the code hides it: encoded, escaped or in parts. */
  readonly isHidden?: boolean;
}

/** A form that sends to another host, with whether it has secret fields. */
export interface ForeignForm extends Target {
  readonly hasSecrets: boolean;
}

/** How code hides what it does. */
export type Hiding = 'encoded page' | 'opaque page' | 'sealed page' | 'opaque script' | 'names' | 'escapes';

/** What begins without a visitor's doing. */
export type Download = 'instant' | 'program' | 'smuggled';

const MOST = 50;
const MOST_URLS = 1_000;

/** What a page and its scripts do that matters to the gate. Everything in it is bounded. */
export class Findings {
  readonly fields = new Fields();
  readonly claims: Claim[] = [];
  readonly forms: ForeignForm[] = [];
  readonly sends: Target[] = [];
  readonly redirects: Target[] = [];
  readonly frames: Target[] = [];
  readonly hidings = new Set<Hiding>();
  readonly downloads = new Set<Download>();
  readonly urls = new Map<string, ForeignUrl>();
  /** Words that names of brands need beside them. */
  readonly words = new Set<string>();
  isUrgent = false;
  /** Whether the page speaks of the phrase that restores a wallet. */
  mentionsPhrase = false;
  /** Whether a form asks for secrets without an address to send them to: a script can take them. */
  keepsSecrets = false;
  /** Whether the page takes the address of a visitor from its own. */
  readsAddress = false;
  /** How many fields have only a number as their name. */
  numbered = 0;
  /** The length of the text that visitors see. */
  visible = 0;
  /** The ids of what scripts click by themselves, and of links to downloads. */
  readonly clicks = new Set<string>();
  readonly links = new Map<string, 'download' | 'program'>();

  url(url: ForeignUrl): void {
    if (this.urls.size < MOST_URLS) this.urls.set(url.url, url);
  }

  add<Kind extends 'forms' | 'sends' | 'redirects' | 'frames'>(
    kind: Kind,
    value: Findings[Kind][number],
  ): void {
    const list: Target[] = this[kind];
    if (list.length < MOST && !list.some(({ url }) => url === value.url)) list.push(value);
    this.url(value);
  }

  claim(claims: readonly Claim[]): void {
    for (const claim of claims) if (this.claims.length < MOST) this.claims.push(claim);
  }

  /** Adds what a part of the page does: a script, or a page in a frame. */
  merge(part: Findings): void {
    this.fields.merge(part.fields);
    this.claim(part.claims);
    for (const kind of ['sends', 'redirects', 'frames'] as const)
      for (const target of part[kind]) this.add(kind, target);
    for (const form of part.forms) this.add('forms', form);
    for (const hiding of part.hidings) this.hidings.add(hiding);
    for (const download of part.downloads) this.downloads.add(download);
    for (const url of part.urls.values()) this.url(url);
    for (const word of part.words) this.words.add(word);
    for (const [id, link] of part.links) this.links.set(id, link);
    for (const id of part.clicks) this.clicks.add(id);
    this.isUrgent ||= part.isUrgent;
    this.mentionsPhrase ||= part.mentionsPhrase;
    this.readsAddress ||= part.readsAddress;
    this.keepsSecrets ||= part.keepsSecrets;
    this.numbered += part.numbered;
    this.visible += part.visible;
  }
}
