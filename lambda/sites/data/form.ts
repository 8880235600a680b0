import type { ObjectSchema, Schema } from './schema.ts';
import type { Json } from './store.ts';

/** The fields of a form in the order in which they were sent. */
export type FormEntries = readonly (readonly [name: string, value: string])[];

/** The field that names the page to show after a form. */
const NEXT = '_next';
/** A field that people do not see: what programs write into it gives them away. */
const HONEYPOT = '_gotcha';
/** Fields of forms that are not part of an item. */
export const CONTROLS = [NEXT, HONEYPOT];
const MAX_ENTRIES = 1_000;

/** Reports if a media type is that of a form. */
export function isFormType(type: string): boolean {
  return type === 'application/x-www-form-urlencoded' || type === 'multipart/form-data';
}

/**
 * Returns the fields of a form, or why it cannot be read.
 * @param contentType the whole Content-Type header, with the boundary of a multipart form
 */
export function readForm(contentType: string, body: Uint8Array): FormEntries | string {
  const text = new TextDecoder().decode(body);
  const entries = /^multipart\//i.test(contentType.trim())
    ? readMultipart(contentType, text)
    : [...new URLSearchParams(text)];
  if (typeof entries === 'string') return entries;
  return entries.length <= MAX_ENTRIES ? entries : 'The form has too many fields';
}

/** Reads `multipart/form-data` (RFC 7578) without files. */
function readMultipart(contentType: string, text: string): FormEntries | string {
  const [, quoted, token] = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? token;
  if (boundary === undefined) return 'The form has no boundary';
  const [, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  if (!parts.at(-1)?.startsWith('--')) return 'The form is not complete';
  const entries: (readonly [string, string])[] = [];
  for (const part of parts.slice(0, -1)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, end);
    const name = parameter(head, 'name');
    if (end === -1 || name === undefined) return 'The form has a part without a name';
    const value = part.slice(end + 4);
    const file = parameter(head, 'filename');
    if (file !== undefined && (file !== '' || value !== '')) return `${name} is a file, which data cannot have`;
    if (file === undefined) entries.push([name, value]);
  }
  return entries;
}

/** Returns a parameter of a part's Content-Disposition. Browsers escape quotes and line ends only. */
function parameter(head: string, name: string): string | undefined {
  const [, disposition = ''] = /^content-disposition:(.*)$/im.exec(head) ?? [];
  const value = new RegExp(`;\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return value?.replace(/%22|%0d|%0a/gi, decodeURIComponent);
}

/** Returns the value of an item that a form describes. Fields that the schema does not declare are dropped. */
export function itemOf(schema: ObjectSchema, entries: FormEntries): Json {
  const fields = [...schema.properties].flatMap(([name, property]) => {
    const value = fieldOf(name, property, sentAs(name, entries), schema.required.has(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(fields);
}

/**
 * Returns the merge patch that a form describes: a field that was left empty is removed. What the form does not send stays, because
 * nobody can tell a box without its tick from one that the form does not have.
 */
export function patchOf(schema: ObjectSchema, entries: FormEntries): Json {
  const fields = [...schema.properties].flatMap(([name, property]) => {
    const sent = sentAs(name, entries);
    if (sent.length === 0) return [];
    return [[name, fieldOf(name, property, sent, schema.required.has(name)) ?? null] as const];
  });
  return Object.fromEntries(fields);
}

/** Returns the values of a field. The brackets are the habit of PHP. */
function sentAs(name: string, entries: FormEntries): string[] {
  return entries.filter(([one]) => one === name || one === `${name}[]`).map(([, value]) => value);
}

/** @returns undefined for a field that was left empty */
function fieldOf(name: string, schema: Schema, sent: readonly string[], required: boolean): Json | undefined {
  if (schema.type === 'array') {
    const values = sent.flatMap((text) => convert(name, schema.items, text, false) ?? []);
    return values.length > 0 || required ? values : undefined;
  }
  if (schema.type === 'boolean') {
    // A box without its tick is not sent. One behind a hidden field with the same name is the last one.
    const last = sent.at(-1);
    if (last === undefined) return required ? false : undefined;
    return convert(name, schema, last, required);
  }
  const [only = '', ...others] = sent;
  if (sent.length === 0) return undefined;
  return others.length === 0 ? convert(name, schema, only, required) : sent;
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const YES = ['on', 'true', '1', 'yes', 'checked'];
const NO = ['', 'off', 'false', '0', 'no'];

/** Returns a text as a value of the schema's type, unchanged if it is none; undefined if it is empty. */
function convert(name: string, schema: Schema, text: string, required: boolean): Json | undefined {
  if (schema.type === 'boolean') {
    const word = text.trim().toLowerCase();
    if (YES.includes(word) || word === name.toLowerCase()) return true;
    return NO.includes(word) ? false : text;
  }
  if (schema.type === 'number' || schema.type === 'integer') {
    const digits = text.trim();
    if (digits === '') return undefined;
    return NUMBER.test(digits) ? Number(digits) : text;
  }
  if (text === '' && !required) return undefined;
  // `datetime-local` sends neither seconds nor a zone.
  if (schema.type === 'string' && schema.format === 'date-time' && /^[\d-]{10}T\d\d:\d\d(?::\d\d)?$/.test(text))
    return `${text.length === 16 ? `${text}:00` : text}Z`;
  return text.replace(/\r\n?/g, '\n');
}

/** Reports if a program filled in the form. */
export function isTrapped(entries: FormEntries): boolean {
  return entries.some(([name, value]) => name === HONEYPOT && value !== '');
}

/**
 * Returns the path on the site's origin that the form's `_next` names, or undefined without one of the same site.
 * @param base path of the site; begins and ends with a slash
 * @param folder of the form's URL below the site: an empty string, or with a slash at its end
 */
export function nextPath(entries: FormEntries, base: string, folder: string): string | undefined {
  const wanted = entries.find(([name]) => name === NEXT)?.[1].trim();
  return wanted === undefined || wanted === '' ? undefined : pathWithin(wanted, base, folder);
}

const MAX_PATH = 1_000;
const SITE = 'https://site.invalid';

function pathWithin(wanted: string, base: string, folder: string): string | undefined {
  if (wanted.length > MAX_PATH || !decodings(wanted).every(isRelative)) return undefined;
  const below = wanted.startsWith('/') ? base + wanted.slice(1) : base + folder + wanted;
  const href = SITE + (wanted.startsWith(base) ? wanted : below);
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  if (url.origin !== SITE || !url.pathname.startsWith(base)) return undefined;
  return isRelative(url.pathname) ? url.pathname + url.search + url.hash : undefined;
}

/** Reports if a path leads to no other host, whatever a browser makes of it. */
function isRelative(path: string): boolean {
  const hasControls = [...path].some((character) => character < ' ' || character === '\x7f');
  return !hasControls && !path.includes('\\') && !/^\s*(?:\/\/|[^/?#]*:)/.test(path);
}

/** Returns a path and what is left when it is decoded once, twice and so on. */
function decodings(path: string): readonly string[] {
  const all = [path];
  for (let times = 0; times < 4; times++) {
    const last = all.at(-1) ?? '';
    const next = last.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
    if (next === last) return all;
    all.push(next);
  }
  // Nobody encodes a path five times.
  return [...all, '//'];
}
