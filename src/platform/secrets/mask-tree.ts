import { isSecretField } from './secret-name';

/** Path of webhook calls after `/api`. The next segment is a token that starts the workflow. */
export const WEBHOOK_CALLS = '/webhook/execute/';

const [, ...NAMES] = WEBHOOK_CALLS.split('/').slice(0, -1);

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Separator of path segments, plain or percent-encoded. */
const SLASH = /(\/|%2f)/i;

/**
 * Masks secrets in a path for the log, in any encoding. Hides everything after the names of a
 * webhook call, since a malformed URL contains the token as well.
 */
export function maskPath(path: string): string {
  let found = 0;
  return path
    .split(SLASH)
    .map((piece, at) => {
      const isSegment = at % 2 === 0 && piece !== '';
      if (!isSegment) return piece;
      if (found === NAMES.length) return MASK;
      const name = decoded(piece).toLowerCase();
      found = name === NAMES[found] ? found + 1 : Number(name === NAMES[0]);
      return piece;
    })
    .join('');
}

const CALL = new RegExp(`${NAMES.join('(?:/|%2f)+')}(?:/|%2f)+([\\w-]{16,})`, 'gi');

/** Returns possible webhook tokens in a text, which need not be a URL. */
export const webhookTokensIn = (text: string): string[] =>
  [...text.matchAll(CALL)].map(([, token]) => token);

/** Returns the token in a webhook URL of any service, or null. */
export function webhookTokenIn(url: string): string | null {
  const { pathname } = URL.canParse(url) ? new URL(url) : { pathname: '' };
  const at = pathname.lastIndexOf(WEBHOOK_CALLS);
  const token = at < 0 ? '' : decoded(pathname.slice(at + WEBHOOK_CALLS.length)).replace(/\/$/, '');
  return token === '' ? null : token;
}

/** Replaces a secret. */
export const MASK = '***';

export interface TreeRules {
  /** Maximum depth; deeper values become `…`. */
  readonly depth: number;
  /** Maximum number of values; the rest becomes `…`. */
  readonly values: number;
  /** Maximum number of entries of a list; the number of omitted entries is appended. */
  readonly entries: number;
  /** Maximum length of a text or name; the full length is appended to truncated ones. */
  readonly characters: number;
  /** Maximum total length of texts and names; further ones are replaced by their lengths. */
  readonly allCharacters: number;
  /** Converts an object that is not plain data; the result is masked. Default: its own fields. */
  readonly describe?: (value: object) => unknown;
  /** Returns whether to show this text even under a secret name. */
  readonly shows?: (text: string) => boolean;
  /** Converts a text or name before it is written. */
  readonly spell?: (text: string) => string;
  /** Returns the name to write for a field, or null to omit it. */
  readonly rename?: (name: string) => string | null;
}

const DEFAULTS: TreeRules = {
  depth: 100,
  values: 100_000,
  entries: 100_000,
  characters: 1_000_000,
  allCharacters: 20_000_000,
};

/** Long work that yields when `slice.over`. */
type Steps<T> = Generator<void, T, void>;
interface TimeSlice {
  readonly over: boolean;
}

/** Values between two checks of the time. */
const VALUES_AT_ONCE = 128;

/**
 * Returns a copy in which values under secret names are `***`; null, undefined and booleans are
 * kept. Terminates for any value: cyclic, shared many times, or huge.
 */
export function maskTree(value: unknown, rules: Partial<TreeRules> = {}): unknown {
  const steps = maskTreeInTurns(value, rules, { over: false });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}

/** The same in time slices, for large values. */
export function maskTreeInTurns(
  value: unknown,
  rules: Partial<TreeRules>,
  slice: TimeSlice,
): Steps<unknown> {
  return new TreeMask({ ...DEFAULTS, ...rules }, slice).copy(value, 0);
}

/** Returns whether a secret name hides this value. */
export const isMaskable = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== 'boolean';

class TreeMask {
  private written = 0;
  private characters = 0;

  constructor(
    private readonly rules: TreeRules,
    private readonly slice: TimeSlice,
  ) {}

  *copy(value: unknown, depth: number): Steps<unknown> {
    if (!isContainer(value)) return this.leaf(value);
    this.written += 1;
    if (value instanceof Date) return value;
    if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
    if (depth >= this.rules.depth || this.isFull) return '…';
    if (Array.isArray(value)) return yield* this.list(value, depth);
    const described =
      isPlain(value) || this.rules.describe === undefined ? value : this.rules.describe(value);
    if (typeof described !== 'object' || described === null || Array.isArray(described))
      return yield* this.copy(described, depth + 1);
    return yield* this.fields(described, depth);
  }

  private leaf(value: unknown): unknown {
    this.written += 1;
    return typeof value === 'string' ? this.text(value) : value;
  }

  private text(text: string): string {
    const room = Math.max(
      0,
      Math.min(this.rules.characters, this.rules.allCharacters - this.characters),
    );
    this.characters += Math.min(text.length, room);
    const cut = cutText(text, room);
    return this.rules.spell === undefined ? cut : this.rules.spell(cut);
  }

  private get isFull(): boolean {
    return this.written >= this.rules.values;
  }

  private *list(list: readonly unknown[], depth: number): Steps<unknown[]> {
    const copied: unknown[] = [];
    for (const item of list) {
      if (copied.length >= this.rules.entries || this.isFull)
        return [...copied, `… (${list.length} entries)`];
      if (this.written % VALUES_AT_ONCE === 0 && this.slice.over) yield;
      copied.push(isContainer(item) ? yield* this.copy(item, depth + 1) : this.leaf(item));
    }
    return copied;
  }

  private *fields(fields: object, depth: number): Steps<Record<string, unknown>> {
    const copied: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
      if (this.isFull) {
        copied.push(['…', '…']);
        break;
      }
      if (this.written % VALUES_AT_ONCE === 0 && this.slice.over) yield;
      const whole = this.rules.rename === undefined ? name : this.rules.rename(name);
      if (whole === null) continue;
      const writtenAs = this.text(whole);
      const value = (fields as Record<string, unknown>)[name];
      if (this.hides(name, value, fields)) copied.push([writtenAs, MASK]);
      else
        copied.push([
          writtenAs,
          isContainer(value) ? yield* this.copy(value, depth + 1) : this.leaf(value),
        ]);
    }
    return Object.fromEntries(copied);
  }

  private hides(name: string, value: unknown, fields: object): boolean {
    return (
      isSecretField(name, fields) &&
      isMaskable(value) &&
      !(typeof value === 'string' && this.rules.shows?.(value) === true)
    );
  }
}

/** Truncates a text and appends its length. Does not split surrogate pairs. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const isThrough = characters > 0 && (text.codePointAt(characters - 1) ?? 0) > 0xffff;
  return `${text.slice(0, isThrough ? characters - 1 : characters)}… (${text.length} characters)`;
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
