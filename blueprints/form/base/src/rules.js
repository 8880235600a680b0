/** The fields: label, type, and whether a value is optional. */
export const fields = '{{rules}}';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;
const PHONE = /^\+?[\d\s()/.-]{6,20}$/;

const KINDS = {
  email: (value) => EMAIL.test(value) || 'Not an e-mail address yet.',
  tel: (value) => PHONE.test(value) || 'Not a phone number yet.',
  url: (value) => URL.canParse(value) || 'Begin with https://',
  number: (value) => (value !== '' && Number.isFinite(Number(value))) || 'Write a number.',
  password: (value) => value.length >= 10 || 'Use at least 10 characters.',
};

/** Returns an error message for a value, or '' when it is valid. */
export function problemWith({ label, optional, type }, value) {
  if (value.trim() === '') return optional ? '' : `${label} is missing.`;
  const verdict = KINDS[type]?.(value.trim()) ?? true;
  return verdict === true ? '' : verdict;
}
