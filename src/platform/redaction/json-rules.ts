import { JSON_MASK } from './mask';
import type { Range } from './mask';

/** Maximum nesting; deeper values are hidden as a whole. */
const DEEPEST = 200;
const STRING = '"(?:[^"\\\\]|\\\\.)*"';
const SCALAR = '-?\\d[\\d.eE+-]*|true|false|null';
const TOKEN = new RegExp(`[ \\t\\r\\n]*(${STRING}|${SCALAR}|[[\\]{},:])`, 'y');
const TEXT_TOKEN = new RegExp(`${STRING}|${SCALAR}`, 'g');

type Key = string | number;
/** Selected paths as a tree of common prefixes. */
interface Selected {
  isEnd: boolean;
  readonly below: Map<Key, Selected>;
}
const nothing = (): Selected => ({ isEnd: false, below: new Map() });

/** Finder for the values that an RFC 9535 path selects. @throws SyntaxError invalid path or JSON */
export function jsonPathRanges(expression: string): (text: string) => Range[] {
  // Loaded on first use: few workflows have such a rule.
  const { exec } = require('jsonpath-rfc9535') as typeof import('jsonpath-rfc9535');
  return (text) => {
    new JsonScanner(text, nothing()).read();
    const selected = nothing();
    exec(JSON.parse(text) as never, expression, (_value, path) => add(selected, path));
    return selected.isEnd || selected.below.size > 0 ? new JsonScanner(text, selected).read() : [];
  };
}

function add(selected: Selected, path: readonly Key[]): void {
  let at = selected;
  for (const written of path) {
    const key = typeof written === 'string' ? keyOf(written) : written;
    const next = at.below.get(key) ?? nothing();
    at.below.set(key, next);
    at = next;
  }
  at.isEnd = true;
}

/** Decodes a key of a normalized path, which escapes like JSON but is quoted with `'`. */
const keyOf = (written: string): string =>
  written.includes('\\')
    ? (JSON.parse(`"${written.replaceAll('"', '\\"').replaceAll("\\'", "'")}"`) as string)
    : written;

/** Finds the positions of values in a JSON text in one pass. */
class JsonScanner {
  private at = 0;
  private start = 0;
  private token = '';
  private readonly ranges: Range[] = [];

  constructor(
    private readonly text: string,
    private readonly selected: Selected,
  ) {}

  read(): Range[] {
    this.next();
    this.value(this.selected, 0);
    if (this.text.slice(this.at).trim() !== '')
      throw new SyntaxError('The JSON text has more than one value.');
    return this.ranges;
  }

  private next(): void {
    TOKEN.lastIndex = this.at;
    const token = TOKEN.exec(this.text)?.[1];
    if (token === undefined) throw new SyntaxError(`Invalid JSON at ${this.at}.`);
    this.token = token;
    this.at = TOKEN.lastIndex;
    this.start = this.at - token.length;
  }

  /** Reads a value; `token` is its first token. */
  private value(selected: Selected | undefined, depth: number): void {
    if (depth > DEEPEST) throw new SyntaxError('The JSON text is nested too deeply.');
    const { start } = this;
    if (this.token === '[') this.list(selected, depth);
    else if (this.token === '{') this.object(selected, depth);
    else if (']},:'.includes(this.token)) throw new SyntaxError(`Expected a value at ${start}.`);
    if (selected?.isEnd === true) this.ranges.push({ start, end: this.at });
  }

  private list(selected: Selected | undefined, depth: number): void {
    this.next();
    for (let nth = 0; this.token !== ']'; nth += 1) {
      this.value(selected?.below.get(nth), depth + 1);
      this.nextEntry(']');
    }
  }

  private object(selected: Selected | undefined, depth: number): void {
    this.next();
    while (this.token !== '}') {
      const key = JSON.parse(this.token) as string;
      this.next();
      if (this.token !== ':') throw new SyntaxError(`Expected ":" at ${this.start}.`);
      this.next();
      this.value(selected?.below.get(key), depth + 1);
      this.nextEntry('}');
    }
  }

  /** Expects a comma (and moves to the next token) or the end of the container. */
  private nextEntry(end: ']' | '}'): void {
    this.next();
    if (this.token === ',') this.next();
    else if (this.token !== end) throw new SyntaxError(`Expected "," at ${this.start}.`);
  }
}

/**
 * Hides matches in the names and values of a JSON text so that the result is valid JSON. A match
 * within a string is hidden there; a match that crosses tokens or is in a number hides each token
 * that it touches completely.
 * @param json valid JSON
 * @param matched non-empty matches in the whole text
 * @param hide hides matches within one string
 */
export function maskedJson(
  json: string,
  matched: readonly Range[],
  hide: (text: string) => string,
): string {
  const ranges = matched.toSorted((one, other) => one.start - other.start);
  let nth = 0;
  /** Largest end of the previous matches. */
  let reaches = 0;
  return json.replace(TEXT_TOKEN, (token, start: number) => {
    const end = start + token.length;
    let isCrossed = reaches > start;
    let isMatched = false;
    for (let range = ranges[nth]; range && range.start < end; range = ranges[(nth += 1)]) {
      if (range.end > start) {
        isMatched = true;
        isCrossed ||= range.start <= start || range.end >= end;
      }
      reaches = Math.max(reaches, range.end);
    }
    return isCrossed ? JSON_MASK : hiddenToken(token, isMatched, hide);
  });
}

function hiddenToken(token: string, isMatched: boolean, hide: (text: string) => string): string {
  if (!token.startsWith('"')) return isMatched || hide(token) !== token ? JSON_MASK : token;
  const text = JSON.parse(token) as string;
  const hidden = hide(text);
  if (hidden !== text) return JSON.stringify(hidden);
  // Only the escaped form matches, not the decoded one.
  return isMatched ? JSON_MASK : token;
}
