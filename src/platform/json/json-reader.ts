import { BadInput, TooLarge } from '../errors/errors';
import { brokenJson, JsonSource } from './json-source';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE = 0x75;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;

export interface JsonLimits {
  /** Maximum nesting of objects and arrays. */
  readonly depth: number;
  /** Maximum number of values, approximately: opening brackets and commas. */
  readonly values: number;
  /** Maximum number of names in one object: growing a large object blocks the event loop. */
  readonly names: number;
  /** Accepts numbers that a double cannot hold: the caller reads them from the text. */
  readonly anyNumbers?: boolean;
}

type Container = unknown[] | Record<string, unknown>;

/** A container that is not closed yet. */
interface Level {
  readonly isArray: boolean;
  readonly openedAt: number;
  entries: number;
  /** Start of the current entry. */
  entryAt: number;
  /** Created when a piece of the entries is parsed; until then, null. */
  container: Container | null;
  /** Entries before this offset are in `container`. */
  keptTo: number;
  /**
   * End of a nested container parsed in pieces, where only blanks or a delimiter may follow; or -1.
   */
  closedAt: number;
}

/** A long string that is read in pieces, and its destination. */
interface LongText {
  readonly container: Container;
  /** Name of the field, if the container is an object. */
  readonly name: string;
  readonly pieces: string[];
}

/**
 * Parses JSON from bytes in pieces, so that the caller can yield the event loop in between.
 * JSON.parse makes the values, one group of consecutive entries at a time; this class finds the
 * boundaries and checks nesting, number of values, numbers beyond the range of a double, and the
 * name `__proto__`. Otherwise it accepts what `JSON.parse` accepts, with the same result.
 */
export class JsonReader {
  private readonly source: JsonSource;
  private readonly levels: Level[] = [];
  private readonly start: number;
  private at: number;
  private inText = false;
  /** Start of the current string, after its quote or after the part that was read. */
  private textFrom = 0;
  /** Start of the last escape in the current string; `escapeEnd` is its end. */
  private escapeAt = 0;
  private escapeEnd = 0;
  private longText: LongText | null = null;
  /** Whether the current string may be long; names may not. */
  private mayBeLong = false;
  private values = 0;
  /** Number of levels with a container; the outermost ones. */
  private made = 0;
  private root: { value: Container; endsAt: number } | null = null;

  /** @param pieceBytes entries are parsed as soon as they have this size */
  constructor(
    private readonly bytes: Buffer,
    private readonly limits: JsonLimits,
    private readonly pieceBytes: number,
  ) {
    this.source = new JsonSource(bytes);
    this.start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.at = this.start;
  }

  /**
   * Reads about `amount` bytes.
   * @returns true at the end of the input
   * @throws BadInput TooLarge
   */
  advance(amount: number): boolean {
    const { bytes } = this;
    const until = Math.min(this.at + amount, bytes.length);
    while (this.at < until) {
      const byte = bytes[this.at];
      if (this.inText) {
        this.text(until);
        continue;
      }
      if (byte === QUOTE) this.enterText();
      else if (byte === COMMA) this.comma();
      else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) this.open(byte === OPEN_ARRAY);
      else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) this.close(byte === CLOSE_ARRAY);
      else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
        this.at = this.source.readNumber(this.at, this.limits.anyNumbers === true);
        continue;
      }
      this.at += 1;
    }
    return this.at >= bytes.length;
  }

  /** The parsed value; undefined if the input was blank. */
  get result(): unknown {
    if (this.levels.length > 0) throw brokenJson();
    if (this.root === null) return this.source.parse(this.start, this.bytes.length, '', '');
    this.source.requireBlank(this.root.endsAt, this.bytes.length);
    return this.root.value;
  }

  private enterText(): void {
    this.inText = true;
    this.textFrom = this.at + 1;
    this.escapeEnd = 0;
    this.mayBeLong = this.levels.length > 0;
  }

  /** Moves past the closing quote, or to `until`. */
  private text(until: number): void {
    const { bytes } = this;
    let { at } = this;
    while (at < until && bytes[at] !== QUOTE) {
      if (bytes[at] === BACKSLASH) {
        this.escapeAt = at;
        this.escapeEnd = at + (bytes[at + 1] === UNICODE ? 6 : 2);
        at += 2;
      } else at += 1;
    }
    this.inText = at >= until;
    this.at = this.inText ? at : at + 1;
    if (!this.inText) this.leaveText();
    else if (at - this.textFrom >= this.pieceBytes) this.readLongText();
  }

  /** Reads the available part of a long string, except an incomplete escape or character. */
  private readLongText(): void {
    if (this.longText === null && this.mayBeLong) this.longText = this.enterLongText();
    if (this.longText === null) return;
    let end = this.at < this.escapeEnd ? this.escapeAt : this.at;
    for (let step = 0; step < 3 && (this.bytes[end] & 0xc0) === 0x80; step += 1) end -= 1;
    if (end <= this.textFrom) return;
    this.longText.pieces.push(this.source.parse(this.textFrom, end, '"', '"') as string);
    this.textFrom = end;
  }

  private enterLongText(): LongText | null {
    const level = this.levels[this.levels.length - 1];
    const quote = this.textFrom - 1;
    this.mayBeLong = level.isArray || !this.source.isBlank(level.entryAt, quote);
    if (!this.mayBeLong) return null;
    if (level.closedAt >= 0) throw brokenJson();
    this.makeContainers();
    if (level.entryAt > level.keptTo) this.keep(level, level.entryAt - 1);
    if (level.isArray) this.source.requireBlank(level.entryAt, quote);
    return {
      container: level.container ?? [],
      name: level.isArray ? '' : this.nameIn(level.entryAt, quote),
      pieces: [],
    };
  }

  private leaveText(): void {
    const { longText } = this;
    if (longText === null) return;
    this.longText = null;
    const text = [
      ...longText.pieces,
      this.source.parse(this.textFrom, this.at - 1, '"', '"') as string,
    ].join('');
    if (Array.isArray(longText.container)) longText.container.push(text);
    else longText.container[longText.name] = text;
    const level = this.levels[this.levels.length - 1];
    level.keptTo = level.closedAt = this.at;
  }

  private comma(): void {
    this.count();
    const level = this.levels.at(-1);
    if (level === undefined) throw brokenJson();
    level.entries += 1;
    if (level.entries > this.limits.names && !level.isArray)
      throw new TooLarge(`An object in the body has more than ${this.limits.names} names.`);
    if (level.closedAt >= 0) {
      this.source.requireBlank(level.closedAt, this.at);
      level.closedAt = -1;
      level.keptTo = this.at + 1;
    } else if (this.at - this.keptTo >= this.pieceBytes) {
      this.makeContainers();
      this.keep(level, this.at);
    }
    level.entryAt = this.at + 1;
  }

  private open(isArray: boolean): void {
    this.count();
    const next = this.at + 1;
    this.levels.push({
      isArray,
      openedAt: this.at,
      entries: 1,
      entryAt: next,
      container: null,
      keptTo: next,
      closedAt: -1,
    });
    if (this.levels.length > this.limits.depth)
      throw new BadInput(
        'BAD_REQUEST',
        `The body is nested more than ${this.limits.depth} levels deep.`,
      );
  }

  private close(isArray: boolean): void {
    const level = this.levels.pop();
    if (level?.isArray !== isArray) throw brokenJson();
    if (level.container === null) return;
    if (level.closedAt >= 0) this.source.requireBlank(level.closedAt, this.at);
    else this.keep(level, this.at);
    this.made -= 1;
    const outer = this.levels.at(-1);
    if (outer === undefined) this.root = { value: level.container, endsAt: this.at + 1 };
    else outer.keptTo = outer.closedAt = this.at + 1;
  }

  private count(): void {
    this.values += 1;
    if (this.values > this.limits.values)
      throw new TooLarge(`The body has more than ${this.limits.values} values.`);
  }

  /** Start of the part that is not parsed yet. */
  private get keptTo(): number {
    return this.made > 0 ? this.levels[this.made - 1].keptTo : this.start;
  }

  /** Creates the containers of all open levels, with their complete entries. */
  private makeContainers(): void {
    for (; this.made < this.levels.length; this.made += 1) {
      const level = this.levels[this.made];
      level.container = level.isArray ? [] : {};
      if (this.made === 0) {
        this.source.requireBlank(this.start, level.openedAt);
        continue;
      }
      const outer = this.levels[this.made - 1];
      if (outer.closedAt >= 0 || outer.container === null) throw brokenJson();
      if (outer.entryAt > outer.keptTo) this.keep(outer, outer.entryAt - 1);
      if (Array.isArray(outer.container)) {
        this.source.requireBlank(outer.entryAt, level.openedAt);
        outer.container.push(level.container);
      } else {
        outer.container[this.nameIn(outer.entryAt, level.openedAt)] = level.container;
      }
    }
  }

  /** Parses the entries up to a comma or the end of the container. */
  private keep(level: Level, end: number): void {
    const { container } = level;
    if (Array.isArray(container)) {
      const entries = this.source.parse(level.keptTo, end, '[', ']') as unknown[];
      if (entries.length === 0) throw brokenJson();
      for (const entry of entries) container.push(entry);
    } else {
      const entries = Object.entries(this.source.parse(level.keptTo, end, '{', '}') as object) as [
        string,
        unknown,
      ][];
      if (entries.length === 0 || container === null) throw brokenJson();
      for (const [name, value] of entries) container[name] = value;
    }
    level.keptTo = end + 1;
  }

  /** Parses `"name":` before a value. Appends `null`, which cannot join with an invalid prefix. */
  private nameIn(from: number, to: number): string {
    const names = Object.keys(this.source.parse(from, to, '{', 'null}') as object);
    if (names.length !== 1) throw brokenJson();
    return names[0];
  }
}
