const MASK = '***';
const SECRET_NAME = /pass(?:word|wd|phrase)|secret|token|authorization|cookie|credential|api[-_]?key|private[-_]?key/i;
const MAX_DEPTH = 5;

/** Does a field of this name hold something that must not be written down? */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name);

function mask(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Error) return describeError(value, depth);
  if (value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
  if (Array.isArray(value)) return value.map((item) => mask(item, depth + 1));
  return maskFields(value, depth);
}

function maskFields(fields: object, depth: number): Record<string, unknown> {
  const masked: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    masked[name] = isSecretName(name) && value != null && typeof value !== 'boolean' ? MASK : mask(value, depth + 1);
  }
  return masked;
}

function describeError(error: Error, depth: number): Record<string, unknown> {
  const cause = error.cause === undefined || depth >= MAX_DEPTH ? {} : { cause: mask(error.cause, depth + 1) };
  const code = 'code' in error ? { code: error.code } : {};
  return { type: error.name, message: error.message, ...code, stack: error.stack, ...cause };
}

/** The same fields with every secret replaced, at any depth a log line has. Errors become type, message, stack and cause. */
export function maskSecrets(fields: object): Record<string, unknown> {
  return maskFields(fields, 0);
}

const TOKEN = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g;
const BEARER = /\b(Bearer|Basic)(\s+|%20|\+)[\w.~+/=-]+/gi;
const URL_USER = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"':]*:[^\s/@"']*@/gi;

/** Cuts out of a text what looks like a token, an Authorization value or the user part of a URL. */
export function scrub(text: string): string {
  return text.replace(BEARER, `$1 ${MASK}`).replace(TOKEN, MASK).replace(URL_USER, `$1${MASK}@`);
}

/** The query of a URL with the values of secret parameters masked; empty for none. */
export function maskQuery(search: string): string {
  if (search.length < 2) return '';
  return search.replace(/([^?&=]+)=([^&]*)/g, (pair, name: string) => (isSecretName(name) ? `${name}=${MASK}` : pair));
}
