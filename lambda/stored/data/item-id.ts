import { customAlphabet } from 'nanoid';

/** Without letters that differ in case only, and none of the characters that sort keys are made of. */
const random = customAlphabet('0123456789abcdefghijklmnopqrstuvwxyz', 10);

/** Digits of the time in base 36, which suffice until the year 5188. */
const TIME_DIGITS = 9;

/** Returns the id of a new item, which sorts by its time. @param now in Unix milliseconds */
export function newItemId(now: number): string {
  return now.toString(36).padStart(TIME_DIGITS, '0') + random();
}
