const MONTHS = [
  'jan(?:uary|uar|vier|eiro)?|enero',
  'feb(?:ruary|ruar|rero)?|fevereiro|février',
  'mar(?:ch|zo|s|ço)|märz',
  'apr(?:il)?|abril|avril',
  'may|mai|mayo|maio',
  'june?|juni|junio|juin|junho',
  'july?|juli|julio|juillet|julho',
  'aug(?:ust)?|agosto|août',
  'sept?(?:ember|iembre|embre)?|setembro',
  'o[ck]t(?:ober|ubre|obre)?|outubro',
  'nov(?:ember|iembre|embre|embro)?',
  'de[cz](?:ember|embro)?|diciembre|décembre',
];
const MONTH = `(?:${MONTHS.join('|')})(?!\\p{L})`;
const DAY = '(?<!\\d)(\\d{1,2})(?:st|nd|rd|th|er|º|\\.)?';
const YEAR = '(?:,? (?:de |of )?(2\\d{3}))?';
const DAY_FIRST = new RegExp(`${DAY} (?:of |de )?(${MONTH})\\.?${YEAR}`, 'iu');
const MONTH_FIRST = new RegExp(`(?<!\\p{L})(${MONTH})\\.? ${DAY}(?!\\d)${YEAR}`, 'iu');
const ISO = /(2\d{3})-(\d\d)-(\d\d)/;
const DOTTED = /(?<!\d)(\d{1,2})[./](\d{1,2})[./](2\d{3})/;
const TIME =
  /(?<!\p{L})(?:at|um|ab|from|a las?|à|às) (\d{1,2})(?:[:.h](\d\d)?)? ?([ap])?\.?m?(?![\p{L}\d])|(?<!\d)(\d{1,2})(?::(\d\d))? ?([ap])\.?m(?!\p{L})|(?<!\d)(\d{1,2}):(\d\d)(?!\d)/iu;

/** Whether a text contains the name of a month. */
export const namesMonth = (text: string): boolean => new RegExp(`(?<!\\p{L})${MONTH}`, 'iu').test(text);

/** Returns the year (0 if none is named), month and day of a prompt, or undefined. */
function readDay(text: string): readonly number[] | undefined {
  const [, y, m, d] = ISO.exec(text) ?? [];
  if (y) return [y, m, d].map(Number);
  const [, day, number, year] = DOTTED.exec(text) ?? [];
  if (day) return [year, number, day].map(Number);
  const [, first, name = '', after = '0'] = DAY_FIRST.exec(text) ?? [];
  const [, month = name, second, later = after] = MONTH_FIRST.exec(text) ?? [];
  const at = MONTHS.findIndex((names) => new RegExp(`^(?:${names})$`, 'iu').test(name || month));
  return at < 0 ? undefined : [Number(name ? after : later), at + 1, Number(first ?? second)];
}

/** Feasts that are on the same day each year, as month and day. */
const FEASTS: readonly (readonly [name: RegExp, month: number, day: number])[] = [
  [/weihnachten|heiligabend/i, 12, 24],
  [/christmas|navidad|(?<!\p{L})noël|(?<!\p{L})natal(?!\p{L})/iu, 12, 25],
  [/new year|silvester|neujahr|año nuevo|nochevieja|nouvel an|ano novo|réveillon/i, 1, 1],
];

/**
 * Returns the date and time of a prompt; without a valid date, a sample, which says so.
 * @param usual the hour if the prompt names none
 */
export function readWhen(text: string, usual = 15) {
  const feast = FEASTS.find(([name]) => name.test(text));
  const [year = 0, month = 0, day = 0] = readDay(text) ?? (feast ? [0, feast[1], feast[2]] : []);
  const isSample = !(month >= 1 && month <= 12 && day >= 1 && day <= 31);
  const found = TIME.exec(text) ?? [];
  const hour = Number(found[1] ?? found[4] ?? found[7] ?? usual);
  const half = (found[3] ?? found[6] ?? '').toLowerCase();
  const time = {
    hour: half ? (hour % 12) + (half === 'p' ? 12 : 0) : hour % 24,
    minute: Number(found[2] ?? found[5] ?? found[8] ?? 0) % 60,
  };
  return { ...(isSample ? { year: 0, month: 6, day: 12 } : { year, month, day }), ...time, isSample };
}
