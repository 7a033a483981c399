import { isSecretField } from './secret-name';

/** What stands where a secret was. */
export const MASK = '***';

export interface TreeRules {
  /** Levels that are written; what lies deeper is `…`. */
  readonly depth: number;
  /** Values that are written in all; the rest is `…`. */
  readonly values: number;
  /** Entries of one list that are written; their number follows. */
  readonly entries: number;
  /** Characters of one text or name that are written; the full length follows. */
  readonly characters: number;
  /** Characters of all texts and names that are written; of the rest only the lengths. */
  readonly allCharacters: number;
  /** What stands for an object that is no plain data; it is masked in its turn. Without it, its own fields. */
  readonly describe?: (value: object) => unknown;
  /** Is this text shown under a secret name too? */
  readonly shows?: (text: string) => boolean;
  /** How a text or a name is written, where it cannot be as it is. */
  readonly spell?: (text: string) => string;
  /** The name under which a field is written; null leaves it out. */
  readonly rename?: (name: string) => string | null;
}

const DEFAULTS: TreeRules = {
  depth: 100,
  values: 100_000,
  entries: 100_000,
  characters: 1_000_000,
  allCharacters: 20_000_000,
};

/** Work that may be interrupted wherever it yields: when `turn.over`. */
type Steps<T> = Generator<void, T, void>;
interface Turn {
  readonly over: boolean;
}

/** Values between two looks at the clock. */
const VALUES_AT_ONCE = 128;

/**
 * A copy in which `***` stands for everything under a secret name; null, undefined and booleans stay, they give nothing away. Ends in time
 * whatever the value is: endless, shared a thousand times, or huge.
 */
export function maskTree(value: unknown, rules: Partial<TreeRules> = {}): unknown {
  const steps = maskTreeInTurns(value, rules, { over: false });
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
  }
}

/** The same for a tree that is large: yields whenever its turn is over. */
export function maskTreeInTurns(
  value: unknown,
  rules: Partial<TreeRules>,
  turn: Turn,
): Steps<unknown> {
  return new TreeMask({ ...DEFAULTS, ...rules }, turn).copy(value, 0);
}

/** Does a secret name hide such a value? */
export const isMaskable = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== 'boolean';

class TreeMask {
  private written = 0;
  private characters = 0;

  constructor(
    private readonly rules: TreeRules,
    private readonly turn: Turn,
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
      if (this.written % VALUES_AT_ONCE === 0 && this.turn.over) yield;
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
      if (this.written % VALUES_AT_ONCE === 0 && this.turn.over) yield;
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

/** The beginning of a text that is too long, and how long it is. Nothing is cut through the middle of a character. */
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
