import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../platform/crypto/sha256';

/** Marks API tokens, so that scanners of source code find leaked ones. */
const PREFIX = 'hyp_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^32 is about 2^190. */
const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_CHARACTERS + CHECKSUM_CHARACTERS}}$`);

/** Characters that are stored in clear. */
const SHOWN_CHARACTERS = PREFIX.length + 4;

/** CRC-32 in base 62: scanners tell tokens from similar texts without asking the service. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

/** Returns a new token: `hyp_`, 32 random characters and a checksum of 6. */
export function newTokenText(): string {
  const random = Array.from({ length: RANDOM_CHARACTERS }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
  return PREFIX + random + checksum(random);
}

/** Returns whether a bearer token is meant as an API token. */
export const isApiToken = (text: string): boolean => text.startsWith(PREFIX);

/** Returns whether the text has the shape and the checksum of a token. */
export const isWellFormed = (text: string): boolean =>
  SHAPE.test(text) &&
  checksum(text.slice(PREFIX.length, -CHECKSUM_CHARACTERS)) === text.slice(-CHECKSUM_CHARACTERS);

/** A fast hash is enough: tokens are random, so they cannot be guessed from it. */
export const tokenHash = (text: string): string => sha256(text);

/** The part of a token that is shown in lists. */
export const shownPrefix = (text: string): string => text.slice(0, SHOWN_CHARACTERS);
