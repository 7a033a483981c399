import { isSecretField } from '../secrets';
import { cutText, JSON_MASK, MASK } from './mask';

interface TreeRules {
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

/**
 * Returns a copy in which values under secret names are `***`; null, undefined and booleans are
 * kept. Terminates for any value: cyclic, shared many times, or huge.
 */
export function maskTree(value: unknown, rules: Partial<TreeRules> = {}): unknown {
  return new TreeMask({ ...DEFAULTS, ...rules }).copy(value, 0);
}

/** Returns whether a secret name hides this value. */
export const isMaskable = (value: unknown): boolean =>
  value !== null && value !== undefined && typeof value !== 'boolean';

class TreeMask {
  private written = 0;
  private characters = 0;

  constructor(private readonly rules: TreeRules) {}

  copy(value: unknown, depth: number): unknown {
    if (!isContainer(value)) return this.leaf(value);
    this.written += 1;
    if (value instanceof Date) return value;
    if (Buffer.isBuffer(value)) return `[${value.length} bytes]`;
    if (depth >= this.rules.depth || this.isFull) return '…';
    if (Array.isArray(value)) return this.list(value, depth);
    const described =
      isPlain(value) || this.rules.describe === undefined ? value : this.rules.describe(value);
    if (typeof described !== 'object' || described === null || Array.isArray(described))
      return this.copy(described, depth + 1);
    return this.fields(described, depth);
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

  private list(list: readonly unknown[], depth: number): unknown[] {
    const copied: unknown[] = [];
    for (const item of list) {
      if (copied.length >= this.rules.entries || this.isFull)
        return [...copied, `… (${list.length} entries)`];
      copied.push(isContainer(item) ? this.copy(item, depth + 1) : this.leaf(item));
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
      const renamed = this.rules.rename === undefined ? name : this.rules.rename(name);
      if (renamed === null) continue;
      const writtenAs = this.text(renamed);
      const value = (fields as Record<string, unknown>)[name];
      if (this.hides(name, value, fields)) copied.push([writtenAs, MASK]);
      else
        copied.push([
          writtenAs,
          isContainer(value) ? this.copy(value, depth + 1) : this.leaf(value),
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

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null;

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const MAX_PRINTED_DEPTH = 100;

/** Secrets to hide in printed texts and numbers. */
interface PrintSecrets {
  mask(text: string, isCut: boolean): string;
  hides(value: number | bigint): boolean;
}

/** JSON, possibly truncated. */
interface Printed {
  readonly text: string;
  readonly isCut: boolean;
}

/**
 * Serializes a value as JSON with secrets and the values of secret names hidden, at most `limit`
 * characters; the cost depends on the limit only.
 * @param describe returns the text for an object that is not printed by its fields, or null
 */
export function printMasked(
  value: unknown,
  limit: number,
  secrets: PrintSecrets,
  describe: (value: object) => string | null,
): Printed {
  const printer = new MaskedPrinter(limit, secrets, describe);
  printer.print(value, 0);
  return { text: printer.written.slice(0, limit), isCut: printer.isFull };
}

class MaskedPrinter {
  written = '';
  /** Masking shortens text, so truncation is tracked separately. */
  private wasCut = false;

  constructor(
    private readonly limit: number,
    private readonly secrets: PrintSecrets,
    private readonly describe: (value: object) => string | null,
  ) {}

  get isFull(): boolean {
    return this.wasCut || this.written.length > this.limit;
  }

  print(value: unknown, depth: number): void {
    if (this.isFull) return;
    if (typeof value === 'string') this.text(value);
    else if (typeof value === 'number' || typeof value === 'bigint')
      this.plain(this.secrets.hides(value) ? JSON_MASK : String(value));
    else if (!isContainer(value)) this.plain(String(value));
    else this.container(value, depth);
  }

  private container(value: object, depth: number): void {
    const description = this.describe(value);
    if (description !== null) this.text(description);
    else if (depth > MAX_PRINTED_DEPTH) this.plain('"…"');
    else if (Array.isArray(value)) {
      this.entries('[', value, (item) => this.print(item, depth + 1), ']');
    } else {
      this.entries(
        '{',
        Object.entries(value),
        ([name, field]) => {
          this.text(name);
          this.plain(':');
          if (isSecretField(name, value)) this.plain(JSON_MASK);
          else this.print(field, depth + 1);
        },
        '}',
      );
    }
  }

  private entries<T>(
    start: string,
    entries: readonly T[],
    print: (entry: T) => void,
    end: string,
  ): void {
    this.plain(start);
    for (let nth = 0; nth < entries.length && !this.isFull; nth += 1) {
      if (nth > 0) this.plain(',');
      print(entries[nth]);
    }
    this.plain(end);
  }

  /** Appends syntax and values that are not texts. */
  private plain(text: string): void {
    if (!this.wasCut) this.written += text;
  }

  /** Truncates the text before masking. */
  private text(text: string): void {
    const room = this.limit + 1 - this.written.length;
    this.wasCut = text.length > room;
    const json = JSON.stringify(this.secrets.mask(text.slice(0, room), this.wasCut));
    this.written += this.wasCut ? json.slice(0, -1) : json;
  }
}
