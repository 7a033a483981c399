import { domainToASCII } from 'node:url';
import { schemeOf } from '../../platform/secrets';

/** A host, or a label of one, that URLs write in another way: without capitals, and of other letters in ASCII alone. */
const MAY_BE_A_HOST = /^(?=[^]*[A-Z\x80-\uffff])[\w.\-\x80-\uffff]{1,253}$/;
const NUMBER = /^[+-]?\d{1,40}(?:\.\d{1,40})?(?:e[+-]?\d{1,3})?$/i;

/**
 * What has to be looked for when a value is secret: the value without the scheme of an Authorization header, what is secret in a `Basic`
 * one, the values of cookies, and the same as it reads when it is escaped.
 * @param name of the field it stands in
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

/** A number is found in the ways it is written. */
export function numberParts(value: number | bigint): string[] {
  const text = String(value).replace(/^-/, '');
  return typeof value === 'number' && Number.isInteger(value)
    ? [text, String(BigInt(value)).replace(/^-/, '')]
    : [text];
}

/** Of `user:password` the password. Where there is none, the user is what opens the door: a token, or the key of an API. */
export function secretOfPair(pair: string): string {
  const [user = ''] = pair.split(':', 1);
  return pair.slice(user.length + 1) || user;
}

/** Of a cookie that is set the value, not its attributes; of those that are sent all values. */
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
