import { isSecretParameter, MASK, maskTree } from '../secrets';

const RULES = { depth: 6, values: 2_000, entries: 100, characters: 8_000, describe: describeObject };

/** Errors become type, message, code, stack and cause; anything else is what its fields say. */
function describeObject(value: object): unknown {
  if (!(value instanceof Error)) return { ...value };
  const cause = value.cause === undefined ? {} : { cause: value.cause };
  const code = 'code' in value ? { code: value.code } : {};
  return { type: value.name, message: value.message, ...code, stack: value.stack, ...cause };
}

/** The same fields with every secret replaced, at any depth a log line has. */
export function maskSecrets(fields: object): Record<string, unknown> {
  return maskTree(fields, RULES) as Record<string, unknown>;
}

const TOKEN = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
const BEARER = /\b(Bearer|Basic)(\s+|%20|\+)[\w.~+/=-]+/gi;
const URL_USER = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"':]*:[^\s/@"']*@/gi;

/** Cuts out of a text what looks like a token, an Authorization value or the user part of a URL. */
export function scrub(text: string): string {
  return text.replace(BEARER, `$1 ${MASK}`).replace(TOKEN, MASK).replace(URL_USER, `$1${MASK}@`);
}

/** Characters of a query that are looked at and written. */
const LONGEST_QUERY = 2_000;

/** The query of a URL (`?a=b`) with the values of secret parameters masked, cut when it is long; empty for none. */
export function maskQuery(search: string): string {
  if (search.length < 2) return '';
  const cut = search.slice(1, LONGEST_QUERY);
  return `?${cut.split('&').map(maskPair).join('&')}${search.length > LONGEST_QUERY ? '…' : ''}`;
}

function maskPair(pair: string): string {
  const at = pair.indexOf('=');
  return at > 0 && isSecretParameter(decoded(pair.slice(0, at))) ? `${pair.slice(0, at)}=${MASK}` : pair;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
