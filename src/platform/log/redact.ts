import { cutText, isSecretParameter, MASK, maskPath, maskTree, namedValues } from '../secrets';

/** Characters of one text of a line. */
const LONGEST_TEXT = 8_000;
const RULES = {
  depth: 6,
  values: 2_000,
  entries: 100,
  characters: LONGEST_TEXT,
  allCharacters: 32_000,
  describe: describeObject,
  spell: scrub,
};

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

/** A message, cut like the fields beside it. */
export const cutMessage = (text: string): string => cutText(text, LONGEST_TEXT);

/** What may be a token of three parts, or a sentence of such parts. */
const DOTTED = /[\w.-]{10,}/g;
const BEARER = /\b(Bearer|Basic)(\s+|%20|\+)[\w.~+/=-]+/gi;
/** Up to the last `@` of the word, since a password may hold slashes. */
const URL_USER = /:\/\/[^\s/@"':]{0,256}:[^\s"'<>]{1,512}@/g;
const URL_KEY = /([?&](?:key|code)=)[^\s&#"'<>\\]+/gi;
/** A value that is hidden already, with the punctuation of the sentence. */
const MASKED = /^\*{3}[:.,;]?$/;
const FEWEST_LETTERS = 8;

/** Cuts out what looks like a token, an Authorization value or a secret of a URL. JSON stays JSON. */
const scrubTokens = (text: string): string =>
  text
    .replace(URL_USER, `://${MASK}@`)
    .replace(URL_KEY, `$1${MASK}`)
    .replace(BEARER, `$1 ${MASK}`)
    .replace(DOTTED, withoutTokens);

/**
 * Cuts out of a text what looks like a token, an Authorization value, the user part of a URL, or stands behind the name of a secret: `password=abc`,
 * `X-Api-Key: abc`. Takes time in proportion to its length.
 */
export function scrub(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  const scrubbed = scrubTokens(text);
  for (const { start, end } of namedValues(scrubbed)) {
    if (MASKED.test(scrubbed.slice(start, end))) continue;
    pieces.push(scrubbed.slice(from, Math.max(start, from)), MASK);
    from = Math.max(end, from);
  }
  return pieces.join('') + scrubbed.slice(from);
}

/** `"msg":"..."` at the end of a line of JSON. */
const MESSAGE = /"msg":("(?:[^"\\]|\\.)*")\}\n$/;

/** A line of JSON as it is written. A message is complete here, with the values that were put into it. */
export function scrubLine(line: string): string {
  const message = MESSAGE.exec(line)?.[1];
  const told =
    message === undefined
      ? line
      : `${line.slice(0, -message.length - 2)}${JSON.stringify(scrub(JSON.parse(message) as string))}}\n`;
  return scrubTokens(told);
}

/** `eyJ` is how an encoded `{"` begins: the header of a token. It goes with the two parts behind it. */
function withoutTokens(dotted: string): string {
  if (!dotted.includes('eyJ')) return dotted;
  const parts = dotted.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const start = parts[at].indexOf('eyJ');
    const isToken =
      start >= 0 &&
      parts[at].length - start >= FEWEST_LETTERS &&
      at + 2 < parts.length &&
      parts[at + 1] !== '';
    kept.push(isToken ? parts[at].slice(0, start) + MASK : parts[at]);
    if (isToken) at += 2;
  }
  return kept.join('.');
}

/** Characters of a query that are looked at and written. */
const LONGEST_QUERY = 2_000;

/** The query of a URL (`?a=b`) with the values of secret parameters masked, cut when it is long; empty for none. */
const maskQuery = (search: string): string =>
  writtenQuery(search, (pair, at) => at > 0 && isSecretParameter(decoded(pair.slice(0, at))));

/** The same with all values masked: what workflows are called with may be secret under any name. */
const maskCall = (search: string): string => writtenQuery(search, () => true);

function writtenQuery(search: string, isSecret: (pair: string, equals: number) => boolean): string {
  if (search.length < 2) return '';
  const pairs = search
    .slice(1, LONGEST_QUERY)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=');
      if (pair === '' || !isSecret(pair, at)) return pair;
      return at < 0 ? MASK : `${pair.slice(0, at)}=${MASK}`;
    });
  return `?${pairs.join('&')}${search.length > LONGEST_QUERY ? '…' : ''}`;
}

/** Characters of a path that are written. */
const LONGEST_PATH = 2_048;

const cutPath = (path: string): string =>
  path.length > LONGEST_PATH ? `${path.slice(0, LONGEST_PATH)}…` : path;

/** The address of a request for the log, without what is secret in it. */
export function maskAddress(path: string, search = ''): string {
  const masked = maskPath(path);
  return cutPath(masked) + (masked === path ? maskQuery(search) : maskCall(search));
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
