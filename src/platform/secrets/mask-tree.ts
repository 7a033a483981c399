import { isSecretName } from './secret-name';

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
  /** The name under which a field is written; null leaves it out. */
  readonly rename?: (name: string) => string | null;
}

const DEFAULTS: TreeRules = { depth: 100, values: 100_000, entries: 100_000, characters: 1_000_000, allCharacters: 20_000_000 };

/**
 * A copy in which `***` stands for everything under a secret name; null, undefined and booleans stay, they give nothing away. Ends in time
 * whatever the value is: endless, shared a thousand times, or huge.
 */
export function maskTree(value: unknown, rules: Partial<TreeRules> = {}): unknown {
  return new TreeMask({ ...DEFAULTS, ...rules }).copy(value, 0);
}

/** Does a secret name hide such a value? */
export const isMaskable = (value: unknown): boolean => value !== null && value !== undefined && typeof value !== 'boolean';

class TreeMask {
  private written = 0;
  private characters = 0;

  constructor(private readonly rules: TreeRules) {}

  copy(value: unknown, depth: number): unknown {
    this.written += 1;
    if (typeof value === 'string') return this.text(value);
    if (value === null || typeof value !== 'object' || value instanceof Date) return value;
    if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
    if (depth >= this.rules.depth || this.isFull) return '…';
    if (Array.isArray(value)) return this.list(value, depth);
    const described = isPlain(value) || this.rules.describe === undefined ? value : this.rules.describe(value);
    if (typeof described !== 'object' || described === null || Array.isArray(described)) return this.copy(described, depth + 1);
    return this.fields(described, depth);
  }

  private text(text: string): string {
    const room = Math.max(0, Math.min(this.rules.characters, this.rules.allCharacters - this.characters));
    this.characters += Math.min(text.length, room);
    return cutText(text, room);
  }

  private get isFull(): boolean {
    return this.written >= this.rules.values;
  }

  private list(list: readonly unknown[], depth: number): unknown[] {
    const copied: unknown[] = [];
    for (const item of list) {
      if (copied.length >= this.rules.entries || this.isFull) return [...copied, `… (${list.length} entries)`];
      copied.push(this.copy(item, depth + 1));
    }
    return copied;
  }

  private fields(fields: object, depth: number): Record<string, unknown> {
    const copied: [string, unknown][] = [];
    for (const name of Object.keys(fields)) {
      if (this.isFull) {
        copied.push(['…', '…']);
        break;
      }
      const whole = this.rules.rename === undefined ? name : this.rules.rename(name);
      if (whole === null) continue;
      const writtenAs = this.text(whole);
      const value = (fields as Record<string, unknown>)[name];
      copied.push([writtenAs, this.hides(name, value) ? MASK : this.copy(value, depth + 1)]);
    }
    return Object.fromEntries(copied);
  }

  private hides(name: string, value: unknown): boolean {
    return isSecretName(name) && isMaskable(value) && !(typeof value === 'string' && this.rules.shows?.(value) === true);
  }
}

/** The beginning of a text that is too long, and how long it is. */
export function cutText(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}… (${text.length} characters)` : text;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
