/** The steps and their fields. */
export const steps = '{{stepList}}';

/** Returns 'missing' or 'invalid' for an answer, or '' when it is right. */
export function problemWith({ type, isOptional }, value) {
  const text = value.trim();
  if (text === '') return isOptional ? '' : 'missing';
  if (type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(text)) return 'invalid';
  if (type === 'tel' && !/^\+?[\d\s()/-]{5,}$/.test(text)) return 'invalid';
  if (type === 'number' && !(Number(text) > 0)) return 'invalid';
  if (type === 'date' && !/^\d{4}-\d\d-\d\d$/.test(text)) return 'invalid';
  return '';
}
