import { format, texts } from './texts.js';

/** The fields: label, type, and whether a value is optional. */
export const fields = '{{rules}}';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
const PHONE = /^\+?[\d\s()/.-]{6,20}$/;

const KINDS = {
  email: (value) => EMAIL.test(value) || texts.notEmail,
  tel: (value) => PHONE.test(value) || texts.notPhone,
  url: (value) => URL.canParse(value) || texts.notUrl,
  number: (value) => (value !== '' && Number.isFinite(Number(value))) || texts.notNumber,
  password: (value) => value.length >= 10 || texts.shortPassword,
};

/** Returns an error message for a value, or '' when it is valid. */
export function problemWith({ label, optional, type }, value) {
  if (value.trim() === '') return optional ? '' : format(texts.missing, { label });
  const verdict = KINDS[type]?.(value.trim()) ?? true;
  return verdict === true ? '' : verdict;
}
