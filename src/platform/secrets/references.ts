/** Authentication schemes before credentials in a header, in lower case. */
export const CREDENTIAL_SCHEMES: readonly string[] = [
  'api-key',
  'api-token',
  'apikey',
  'apitoken',
  'basic',
  'bearer',
  'digest',
  'geniekey',
  'negotiate',
  'oauth',
  'splunk',
  'ssws',
  'token',
  'zoho-oauthtoken',
];

/** Scheme at the start of a value, including the blanks after it. */
const SCHEME = new RegExp(`^(?:${CREDENTIAL_SCHEMES.join('|')}) +(?=\\S)`, 'i');

/** Returns `Bearer ` for `Bearer abc`; empty if the value starts with no scheme. */
export const schemeOf = (value: string): string => SCHEME.exec(value)?.[0] ?? '';

const [BRACE, CLOSING, DOLLAR, HASH, PERCENT] = [0x7b, 0x7d, 0x24, 0x23, 0x25];

/** Sticky patterns, linear time. */
const ANSWER = /\{%[^{}]*%\}/y;
const PARAMETER = /\$\{[^{}]*\}/y;
const FIELD = /\{[\p{L}_][\p{L}\p{N}_.-]*\}/uy;
const BARE_ANSWER = /#[0-9A-Fa-f]{6}\.\((?:request|response)\)[^\s;,&"'<>{}]*/y;

/** Longer texts are never treated as references, to limit the time. */
const LONGEST = 64 * 1024;

/**
 * Reference syntax: `{%…%}` (response or named secret), `${…}` (parameter), `{token}` (field of a
 * connector), and bare `#RRGGBB.(response)…`. References contain names, no values.
 * @returns the end of the reference that starts at `from`, or -1
 */
export function endOfReference(text: string, from: number): number {
  const code = text.charCodeAt(from);
  if (code !== BRACE && code !== DOLLAR && code !== HASH) return -1;
  const next = text.charCodeAt(from + 1);
  if (code === HASH) return isLetterOrDigit(next) ? endOf(BARE_ANSWER, text, from) : -1;
  if (code === DOLLAR) return next === BRACE ? endOf(PARAMETER, text, from) : -1;
  return next === PERCENT ? endOf(ANSWER, text, from) : endOfField(text, from);
}

function endOf(reference: RegExp, text: string, from: number): number {
  reference.lastIndex = from;
  return reference.test(text) ? reference.lastIndex : -1;
}

/** Fast path for ASCII names: the pattern is ten times slower, and `{` is frequent. */
function endOfField(text: string, from: number): number {
  let at = from + 1;
  while (isInAsciiName(text.charCodeAt(at))) at += 1;
  const code = text.charCodeAt(at);
  if (code > 0x7f) return endOf(FIELD, text, from);
  return code === CLOSING && at > from + 1 && !/[\d.-]/.test(text[from + 1] ?? '') ? at + 1 : -1;
}

const isLetterOrDigit = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x61 && code <= 0x7a);
const isInAsciiName = (code: number): boolean =>
  isLetterOrDigit(code) || code === 0x5f || code === 0x2e || code === 0x2d;

/**
 * Returns whether the text consists only of references, optionally after an authentication scheme
 * (`Bearer {%secret.github%}`). Such a text contains no secret value.
 */
export function isOnlyReferences(text: string): boolean {
  if (text.length > LONGEST) return false;
  let at = schemeOf(text).length;
  let hasReference = false;
  while (at < text.length) {
    const end = endOfReference(text, at);
    if (end < 0 && !/[\s;]/.test(text[at] ?? '')) return false;
    hasReference ||= end >= 0;
    at = end < 0 ? at + 1 : end;
  }
  return hasReference;
}
