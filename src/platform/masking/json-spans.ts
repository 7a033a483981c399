import { MASK } from '../secrets';
import type { Span } from './spans';

/** Maximum nesting; deeper values are hidden as a whole. */
const DEEPEST = 200;
const TOKEN = /[ \t\r\n]*(?:("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*|true|false|null)|([[\]{},:]))/y;

type Key = string | number;
/** Selected paths as a tree of common prefixes. */
interface Selected {
  isEnd: boolean;
  readonly below: Map<Key, Selected>;
}
const nothing = (): Selected => ({ isEnd: false, below: new Map() });

/** Finder for the values that an RFC 9535 path selects. @throws SyntaxError invalid path or JSON */
export function jsonPathSpans(expression: string): (text: string) => Span[] {
  // Loaded on first use: few workflows have such a rule.
  const { exec } = require('jsonpath-rfc9535') as typeof import('jsonpath-rfc9535');
  return (text) => {
    new Scanner(text, nothing()).read();
    const selected = nothing();
    exec(JSON.parse(text) as never, expression, (_value, path) => add(selected, path));
    return selected.isEnd || selected.below.size > 0 ? new Scanner(text, selected).read() : [];
  };
}

function add(selected: Selected, path: readonly Key[]): void {
  let at = selected;
  for (const written of path) {
    const key = typeof written === 'string' ? unescaped(written) : written;
    const next = at.below.get(key) ?? nothing();
    at.below.set(key, next);
    at = next;
  }
  at.isEnd = true;
}

/** Decodes a key of a normalized path. */
const unescaped = (key: string): string =>
  key.includes('\\')
    ? key.replace(/\\(?:u([\da-f]{4})|(.))/g, (_all, hex: string | undefined, letter: string) =>
        hex === undefined ? (CONTROLS[letter] ?? letter) : String.fromCharCode(parseInt(hex, 16)),
      )
    : key;
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Finds the positions of values in a JSON text in one pass. */
class Scanner {
  private at = 0;
  private start = 0;
  private token = '';
  private readonly spans: Span[] = [];

  constructor(
    private readonly text: string,
    private readonly selected: Selected,
  ) {}

  read(): Span[] {
    this.next();
    this.value(this.selected, 0);
    if (this.text.slice(this.at).trim() !== '')
      throw new SyntaxError('Something stands behind the value.');
    return this.spans;
  }

  private next(): void {
    TOKEN.lastIndex = this.at;
    const found = TOKEN.exec(this.text);
    if (found === null) throw new SyntaxError(`This is no JSON, from ${this.at} on.`);
    this.token = found[1] ?? found[2] ?? found[3] ?? '';
    this.at = TOKEN.lastIndex;
    this.start = this.at - this.token.length;
  }

  /** Reads a value; `token` is its first token. */
  private value(selected: Selected | undefined, depth: number): void {
    if (depth > DEEPEST) throw new SyntaxError('It is nested too deeply.');
    const { start } = this;
    if (this.token === '[') this.list(selected, depth);
    else if (this.token === '{') this.object(selected, depth);
    else if (/^[\]},:]$/.test(this.token))
      throw new SyntaxError(`A value was expected at ${start}.`);
    if (selected?.isEnd === true)
      this.spans.push({ start, end: this.at, shown: JSON.stringify(MASK) });
  }

  private list(selected: Selected | undefined, depth: number): void {
    this.next();
    for (let nth = 0; this.token !== ']'; nth += 1) {
      this.value(selected?.below.get(nth), depth + 1);
      this.behind(']');
    }
  }

  private object(selected: Selected | undefined, depth: number): void {
    this.next();
    while (this.token !== '}') {
      const key = JSON.parse(this.token) as string;
      this.next();
      if (this.token !== ':') throw new SyntaxError(`":" was expected at ${this.start}.`);
      this.next();
      this.value(selected?.below.get(key), depth + 1);
      this.behind('}');
    }
  }

  /** Expects a comma (and moves to the next token) or the end of the container. */
  private behind(end: ']' | '}'): void {
    this.next();
    if (this.token === ',') this.next();
    else if (this.token !== end) throw new SyntaxError(`"," was expected at ${this.start}.`);
  }
}
