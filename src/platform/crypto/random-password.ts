import { randomInt } from 'node:crypto';

/** Letters and digits without lookalikes, since users type them from a terminal. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

/** A password of `length` characters, about 5.8 bits each. */
export function randomPassword(length = 20): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
