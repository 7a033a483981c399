import { cutText, MASK, maskTree, namedValues, percentDecoded } from '../redaction';
import { decodedSegment, isSecretParameter, WEBHOOK_CALLS } from '../secrets';

/** Maximum length of one text of a line, in characters. */
const MAX_TEXT_LENGTH = 8_000;
const RULES = {
  depth: 6,
  values: 2_000,
  entries: 100,
  characters: MAX_TEXT_LENGTH,
  allCharacters: 32_000,
  describe: describeObject,
  spell: scrub,
};

/** Serializes errors as type, message, code, stack and cause; other objects as their fields. */
function describeObject(value: object): unknown {
  if (!(value instanceof Error)) return { ...value };
  const cause = value.cause === undefined ? {} : { cause: value.cause };
  const code = 'code' in value ? { code: value.code } : {};
  return { type: value.name, message: value.message, ...code, stack: value.stack, ...cause };
}

/** Returns the fields with all secrets replaced, at any depth that is logged. */
export function maskSecrets(fields: object): Record<string, unknown> {
  return maskTree(fields, RULES) as Record<string, unknown>;
}

/** Truncates a message like the fields of a line. */
export const cutMessage = (text: string): string => cutText(text, MAX_TEXT_LENGTH);

/** A possible JWT: three parts joined with dots, or more. */
const DOTTED = /[\w.-]{10,}/g;
const BEARER = /\b(Bearer|Basic)(\s+|%20|\+)[\w.~+/=-]+/gi;
/** Matches up to the last `@` of the word, since a password may contain slashes. */
const URL_USER = /:\/\/[^\s/@"':]{0,256}:[^\s"'<>]{1,512}@/g;
const URL_KEY = /([?&](?:key|code)=)[^\s&#"'<>\\]+/gi;
/** A masked value, with punctuation. */
const MASKED = /^\*{3}[:.,;]?$/;
const MIN_HEADER_LENGTH = 8;

/** In every text that the patterns above change. */
const SIGN_OF_TOKEN = /:\/\/|[?&](?:key|code)=|bearer|basic|eyj/i;
/** In every text with a value after a name. */
const SEPARATOR = /[=:<]/;

/** Removes tokens, Authorization values and secrets in URLs. Valid JSON stays valid. */
const scrubTokens = (text: string): string =>
  SIGN_OF_TOKEN.test(text)
    ? text
        .replace(URL_USER, `://${MASK}@`)
        .replace(URL_KEY, `$1${MASK}`)
        .replace(BEARER, `$1 ${MASK}`)
        .replace(DOTTED, withoutTokens)
    : text;

/**
 * Removes tokens, Authorization values, user info in URLs, and values after secret names
 * (`password=abc`, `X-Api-Key: abc`) from a text. Linear time.
 */
export function scrub(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  const scrubbed = scrubTokens(text);
  if (!SEPARATOR.test(scrubbed)) return scrubbed;
  for (const { start, end } of namedValues(scrubbed)) {
    if (MASKED.test(scrubbed.slice(start, end))) continue;
    pieces.push(scrubbed.slice(from, Math.max(start, from)), MASK);
    from = Math.max(end, from);
  }
  return pieces.join('') + scrubbed.slice(from);
}

/** The message at the end of a JSON line. */
const MESSAGE = /"msg":("(?:[^"\\]|\\.)*")\}\n$/;

/** Removes secrets from a finished JSON line; here the message contains its formatted values. */
export function scrubLine(line: string): string {
  const message = MESSAGE.exec(line)?.[1];
  const scrubbed =
    message === undefined
      ? line
      : `${line.slice(0, -message.length - 2)}${JSON.stringify(scrub(JSON.parse(message) as string))}}\n`;
  return scrubTokens(scrubbed);
}

/** A JWT header starts with `eyJ` (`{"` in base64). Removes it with the two parts after it. */
function withoutTokens(dotted: string): string {
  if (!dotted.includes('eyJ')) return dotted;
  const parts = dotted.split('.');
  const pieces: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const start = parts[at].indexOf('eyJ');
    const isToken =
      start >= 0 &&
      parts[at].length - start >= MIN_HEADER_LENGTH &&
      at + 2 < parts.length &&
      parts[at + 1] !== '';
    pieces.push(isToken ? parts[at].slice(0, start) + MASK : parts[at]);
    if (isToken) at += 2;
  }
  return pieces.join('.');
}

/** Maximum length of a query string in the log, in characters. */
const MAX_QUERY_LENGTH = 2_000;

/** Returns the query string with secret parameters masked, truncated; empty if there is none. */
const maskQuery = (search: string): string =>
  writtenQuery(
    search,
    (pair, at) => at > 0 && isSecretParameter(percentDecoded(pair.slice(0, at))),
  );

/** Masks all values: parameters of webhook calls may be secret under any name. */
const maskCall = (search: string): string => writtenQuery(search, () => true);

function writtenQuery(search: string, isSecret: (pair: string, equals: number) => boolean): string {
  if (search.length < 2) return '';
  const pairs = search
    .slice(1, MAX_QUERY_LENGTH)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (pair === '' || !isSecret(pair, at)) return pair;
      return at < 0 ? MASK : `${pair.slice(0, at)}=${MASK}`;
    });
  return `?${pairs.join('&')}${search.length > MAX_QUERY_LENGTH ? '…' : ''}`;
}

/** Maximum length of a path in the log, in characters. */
const MAX_PATH_LENGTH = 2_048;

const cutPath = (path: string): string =>
  path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;

const [, ...CALL_NAMES] = WEBHOOK_CALLS.split('/').slice(0, -1);
/** Separator of path segments, plain or percent-encoded. */
const SLASH = /(\/|%2f)/i;

/**
 * Masks secrets in a path, in any encoding. Hides everything after the names of a webhook call,
 * since a malformed URL contains the token as well.
 */
function maskPath(path: string): string {
  let matchCount = 0;
  return path
    .split(SLASH)
    .map((piece, at) => {
      const isSegment = at % 2 === 0 && piece !== '';
      if (!isSegment) return piece;
      if (matchCount === CALL_NAMES.length) return MASK;
      const name = decodedSegment(piece).toLowerCase();
      matchCount =
        name === CALL_NAMES[matchCount] ? matchCount + 1 : Number(name === CALL_NAMES[0]);
      return piece;
    })
    .join('');
}

/** Returns path and query of a request without secrets, for the log. */
export function maskAddress(path: string, search = ''): string {
  const masked = maskPath(path);
  return cutPath(masked) + (masked === path ? maskQuery(search) : maskCall(search));
}
