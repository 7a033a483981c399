import { domainToASCII } from 'node:url';
import { schemeOf } from '../secrets';
import { quotedTexts, textsInXml } from './named-values';

/** A possible host or label, which URLs normalize: lower case, non-ASCII letters as punycode. */
const MAY_BE_A_HOST = /^(?=[^]*[A-Z\x80-\uffff])[\w.\-\x80-\uffff]{1,253}$/;
const NUMBER = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?$/i;

/**
 * Returns the parts of a secret value to hide: the value without authentication scheme, the secret
 * of `Basic` credentials, cookie values, and their decoded forms.
 * @param name name of its field
 */
export function secretParts(value: string, name = ''): string[] {
  const text = value.trim();
  if (/cookie/i.test(name) && text.includes('=')) return cookieValues(text, name).flatMap(readings);
  const scheme = schemeOf(text);
  const credentials = text.slice(scheme.length);
  const password = /^basic/i.test(scheme)
    ? [secretOfPair(Buffer.from(credentials, 'base64').toString('utf8'))]
    : [];
  return [...readings(credentials), ...password];
}

/** Yields the parts of a secret value and, if it is JSON or XML, of the values within it. */
export function* secretValues(value: string, name = ''): Generator<string> {
  yield* secretParts(value, name);
  const isJson = /^\s*[[{]/.test(value);
  if (!isJson && !value.includes('<')) return;
  for (const text of isJson ? quotedTexts(value) : textsInXml(value)) yield* secretParts(text);
  if (isJson) for (const [digits] of value.matchAll(/\d{4,40}/g)) yield digits;
}

/** Returns the possible spellings of a number. */
export function numberParts(value: number | bigint): string[] {
  const text = String(value).replace(/^-/, '');
  return typeof value === 'number' && Number.isInteger(value)
    ? [text, String(BigInt(value)).replace(/^-/, '')]
    : [text];
}

/**
 * Returns the password of `user:password`; without one, the user, which may be a token or API key.
 */
export function secretOfPair(pair: string): string {
  const [user = ''] = pair.split(':', 1);
  return pair.slice(user.length + 1) || user;
}

/** Returns the value of a `Set-Cookie` header, or all values of a `Cookie` header. */
function cookieValues(text: string, name: string): string[] {
  const pairs = /^set-/i.test(name) ? text.split(';', 1) : text.split(';');
  return pairs.map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
}

function readings(text: string): string[] {
  const all = [text];
  if (text.includes('%')) all.push(percentDecoded(text));
  if (text.includes('\\')) all.push(unescaped(text));
  if (/[\x80-\xff]/.test(text) && !/[^\0-\xff]/.test(text))
    all.push(Buffer.from(text, 'latin1').toString('utf8'));
  if (NUMBER.test(text))
    all.push(
      text.replace(/^[+-]?0*/, ''),
      ...(Number.isFinite(Number(text)) ? numberParts(Number(text)) : []),
    );
  return [...all, ...all.filter((one) => MAY_BE_A_HOST.test(one)).map(domainToASCII)];
}

export function percentDecoded(text: string): string {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function unescaped(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
