/** 32 characters that nobody mistakes for each other. */
const CHARACTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns a random password of 80 bits that can be read out: four groups of four characters. */
export function newPassword(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const characters = Array.from(bytes, (byte) => CHARACTERS[byte % CHARACTERS.length]);
  return [0, 4, 8, 12].map((start) => characters.slice(start, start + 4).join('')).join('-');
}
