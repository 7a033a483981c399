/**
 * Headers that only describe the format of a message, in lower case. Any other header may contain a
 * secret, so only these are sent to other origins, and only their values are shown to all users.
 */
export const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-charset',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-encoding',
  'content-language',
  'content-type',
  'odata-maxversion',
  'odata-version',
  'pragma',
  'prefer',
  'range',
  'soapaction',
  'user-agent',
  'x-requested-with',
]);

/** Case-insensitive. */
export const isHarmlessHeader = (name: string): boolean => HARMLESS_HEADERS.has(name.toLowerCase());

/** Upper-case letters (`API` in `APIKey`), a word, or a number. */
const WORD = /(?:\p{Lu}(?!\p{Ll}))+|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu;

/** Maximum number of characters of a name that are checked. */
const LONGEST_NAME = 500;

/**
 * Splits a name into lower-case words: `X-Api-Key`, `xApiKey`, `x_api_key` and `X_API_KEY` become
 * `x api key`. Removes the plural `s` of words with four or more letters.
 */
export function wordsOf(name: string): string[] {
  const words = name.slice(0, LONGEST_NAME).normalize('NFKC').match(WORD) ?? [];
  return words.map((word) => singular(word.toLowerCase()));
}

const singular = (word: string): string =>
  word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;

/**
 * Patterns of secret names; documented in docs/workflows.md (a test compares them). Words are
 * compared in lower case and singular.
 */
export const SECRET_NAMES = {
  /** Within a word: `dbpassword`, `accessToken`. */
  parts: [
    'password',
    'passwort',
    'kennwort',
    'passwd',
    'secret',
    'token',
    'credential',
    'authorization',
    'authorisation',
    'cookie',
    'sessid',
  ],
  /** As a separate word: `userPin`. */
  words: ['pin', 'otp', 'totp', 'jwt', 'pwd', 'pw', 'psk', 'signature', 'csrf', 'xsrf'],
  /** As the last word: `db_pass`. */
  lastWords: ['pass', 'auth', 'authentication'],
  /** As the whole name. */
  names: ['sid', 'sig', 'assertion', 'x key', 'x vault'],
  /** Consecutive words, or joined into one: `X-Api-Key`, `apikey`. */
  phrases: [
    'pass word',
    'pass phrase',
    'pass code',
    'api key',
    'private key',
    'access key',
    'secret key',
    'subscription key',
    'function key',
    'host key',
    'master key',
    'account key',
    'shared key',
    'signing key',
    'encryption key',
    'auth key',
    'session key',
    'session id',
    'auth code',
    'access code',
    'security code',
    'recovery code',
    'device code',
    'code verifier',
    'client assertion',
    'saml response',
    'x auth',
  ],
} as const;

/** Names that are not secret although they match. */
export const HARMLESS_NAMES = [
  'token type',
  'token count',
  'token limit',
  'token url',
  'token uri',
  'token endpoint',
  'page token',
  'next page token',
  'previous page token',
  'max tokens',
  'max output tokens',
  'max completion tokens',
  'total tokens',
  'prompt tokens',
  'completion tokens',
  'input tokens',
  'output tokens',
  'authorization url',
  'authorization uri',
  'authorization endpoint',
  'client assertion type',
] as const;

/** Words that are not secret although they match. */
export const HARMLESS_WORDS = [
  'secretary',
  'secretaries',
  'secretariat',
  'tokenizer',
  'tokenization',
] as const;

const joined = (phrase: string): string => phrase.replaceAll(' ', '');
const PARTS: readonly string[] = [...SECRET_NAMES.parts, ...SECRET_NAMES.phrases.map(joined)];
const WORDS: ReadonlySet<string> = new Set(SECRET_NAMES.words);
const LAST_WORDS: ReadonlySet<string> = new Set(SECRET_NAMES.lastWords);
const NAMES: ReadonlySet<string> = new Set(SECRET_NAMES.names.map(joined));
const PHRASES: readonly string[] = SECRET_NAMES.phrases.map((phrase) => ` ${phrase} `);
const HARMLESS: ReadonlySet<string> = new Set(HARMLESS_NAMES.map((name) => wordsOf(name).join('')));
const HARMLESS_WORD: ReadonlySet<string> = new Set(HARMLESS_WORDS.flatMap(wordsOf));

/** Results are cached: the same names are checked repeatedly. */
const MAX_VERDICTS = 2_000;
const MAX_REMEMBERED_LENGTH = 64;
const verdicts = new Map<string, boolean>();

/**
 * Returns whether a field, header, parameter or variable of this name is secret; everything inside
 * an object or list under such a name is secret too. Linear time.
 */
export function isSecretName(name: string): boolean {
  const cachedVerdict = verdicts.get(name);
  if (cachedVerdict !== undefined) return cachedVerdict;
  const verdict = isSecret(wordsOf(name));
  // Cleared as a whole: keeping the names that were used last costs more than most checks.
  if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
  if (name.length <= MAX_REMEMBERED_LENGTH) verdicts.set(name, verdict);
  return verdict;
}

function isSecret(all: readonly string[]): boolean {
  // Ignore numbers: `password2` is a password too.
  const words = all.filter((word) => !/^\p{N}/u.test(word));
  const joinedWords = words.join('');
  if (words.length === 0 || HARMLESS.has(joinedWords)) return false;
  if (NAMES.has(joinedWords) || LAST_WORDS.has(words[words.length - 1])) return true;
  if (
    words.some(
      (word) =>
        WORDS.has(word) || (!HARMLESS_WORD.has(word) && PARTS.some((part) => word.includes(part))),
    )
  )
    return true;
  const sentence = ` ${words.join(' ')} `;
  return PHRASES.some((phrase) => sentence.includes(phrase));
}

/** Secret as parameters only; elsewhere the key of an entry, or a country or error code. */
export const PARAMETER_NAMES: readonly string[] = ['key', 'code'];

/** For URL and form parameters and headers, where `key` is an API key and `code` an OAuth code. */
export function isSecretParameter(name: string): boolean {
  return PARAMETER_NAMES.includes(name.toLowerCase()) || isSecretName(name);
}

const hasGrantType = (object: object): boolean => 'grant_type' in object || 'grantType' in object;

/** For fields of an object: `code` is secret in the JSON body of a token request. */
export function isSecretField(name: string, object: object): boolean {
  return isSecretName(name) || (name === 'code' && hasGrantType(object));
}
