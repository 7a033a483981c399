import { located, unsupported } from '../errors';

/** A pattern in JavaScript's syntax (flag `u`), and how much backtracking it may cost. */
export interface TranslatedPattern {
  readonly source: string;
  /** The power of the text's length that a failing match may take steps. */
  readonly degree: number;
  /** Logarithm of the further factor from bounded repetitions and branches. */
  readonly weight: number;
}

export interface PatternOptions {
  readonly multiline: boolean;
  readonly dotAll: boolean;
}

const classEscapes: Readonly<Record<string, string>> = {
  d: '\\d', D: '\\D', w: '\\w', W: '\\W', s: '[\\t-\\r ]', S: '[^\\t-\\r ]', b: '\\b', B: '\\B',
};
const insideClass: Readonly<Record<string, string>> = { d: '\\d', D: '\\D', w: '\\w', W: '\\W', s: '\\t-\\r ', b: '\\b' };
const controls = new Set(['n', 'r', 't', 'f', 'v']);
const groupOpeners = ['?:', '?=', '?!', '?<=', '?<!'];

/** What a group may cost to match. */
interface Group {
  /** Repeats or branches inside. */
  varies: boolean;
  /** Repeats without bound inside. */
  unbounded: boolean;
  /** A group that varies is repeated inside. */
  nested: boolean;
  /** Logarithm of the ways to match what is inside. */
  weight: number;
  bars: number;
}

/** A difference beyond this between least and most counts as no bound. */
const widestBound = 16;

/** At most 2^14 ways to try bounded repetitions and branches at one place of the text. */
const maximumWeight = 14;

/** How often a group that repeats or branches may be repeated. */
const maximumNesting = 4;

/**
 * Writes a PCRE pattern in JavaScript's syntax. The two differ silently in places (`$` before a final newline, what `.`
 * and `\s` cover, `\A`), so every construct is either known here or refused by name.
 * Patterns that can take exponential time are refused: repetition of a group that itself repeats or branches (but for a few
 * times), and long rows of optional parts.
 * @throws StoreError 115 for a construct outside the list, 51091 for a broken pattern
 */
export function translatePattern(pattern: string, options: PatternOptions): TranslatedPattern {
  const reader = new PatternReader(pattern, options);
  return reader.read();
}

class PatternReader {
  private at = 0;
  private unbounded = 0;
  private readonly out: string[] = [];
  private readonly groups: Group[] = [emptyGroup()];
  private closed: Group | undefined;

  constructor(private readonly pattern: string, private readonly options: PatternOptions) {}

  read(): TranslatedPattern {
    while (this.at < this.pattern.length) this.step();
    if (this.groups.length > 1) throw invalid('missing closing parenthesis');
    if (this.group.weight > maximumWeight) throw tooCostly();
    const anchored = this.pattern.startsWith('^') && !this.options.multiline && this.group.bars === 0;
    const starts = anchored || this.unbounded === 0 ? 0 : 1;
    return { source: this.out.join(''), degree: Math.max(1, this.unbounded + starts), weight: this.group.weight };
  }

  private get group(): Group {
    return this.groups[this.groups.length - 1];
  }

  private step(): void {
    const char = this.pattern[this.at];
    if ('*+?{'.includes(char) && this.quantifier()) return;
    this.closed = undefined;
    if (char === '\\') this.escape();
    else if (char === '[') this.characterClass();
    else if (char === '(') this.open();
    else if (char === ')') this.close();
    else this.take(1, this.literal(char));
  }

  private take(length: number, written: string): void {
    this.at += length;
    this.out.push(written);
  }

  private literal(char: string): string {
    switch (char) {
      case '^': return this.options.multiline ? '(?<![^\\n])' : '^';
      case '$': return this.options.multiline ? '(?![^\\n])' : '(?=\\n?$)';
      case '.': return this.options.dotAll ? '[^]' : '[^\\n]';
      case '|':
        this.group.varies = true;
        this.group.bars++;
        return '|';
      case '{': case '}': case ']': case '/': return `\\${char}`;
      default: return char;
    }
  }

  private escape(): void {
    const next = this.pattern[this.at + 1];
    if (next === undefined) throw invalid('\\ at end of pattern');
    if (classEscapes[next] !== undefined) return this.take(2, classEscapes[next]);
    if (controls.has(next)) return this.take(2, `\\${next}`);
    const code = /^\\(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\})/.exec(this.pattern.slice(this.at));
    if (code !== null) return this.take(code[0].length, `\\u{${code[1] ?? code[2]}}`);
    if (/[A-Za-z0-9]/.test(next)) throw unsupported(`the regular expression escape \\${next} is`);
    this.take(2, quoted(next));
  }

  private characterClass(): void {
    const start = this.at;
    const negated = this.pattern[start + 1] === '^';
    let at = start + (negated ? 2 : 1);
    let written = negated ? '[^' : '[';
    for (let first = true; first || this.pattern[at] !== ']'; first = false) {
      const char = this.pattern[at];
      if (char === undefined) throw invalid('missing terminating ] for character class');
      if (char === '[' && /^\[[:.=]/.test(this.pattern.slice(at))) throw unsupported('POSIX classes in regular expressions are');
      if (char !== '\\') {
        written += quoted(char);
        at++;
        continue;
      }
      const [length, escape] = this.classEscape(at);
      // `[\w-x]`: no range starts from a class, so this is a plain minus, which JavaScript wants escaped.
      const minus = 'dDwWs'.includes(this.pattern[at + 1]) && this.pattern[at + length] === '-';
      written += minus ? `${escape}\\-` : escape;
      at += length + Number(minus);
    }
    this.take(at + 1 - start, `${written}]`);
  }

  private classEscape(at: number): [number, string] {
    const next = this.pattern[at + 1];
    if (next === undefined) throw invalid('\\ at end of pattern');
    if (insideClass[next] !== undefined) return [2, insideClass[next]];
    if (controls.has(next)) return [2, `\\${next}`];
    const code = /^\\(?:x([0-9A-Fa-f]{2})|x\{([0-9A-Fa-f]{1,6})\})/.exec(this.pattern.slice(at));
    if (code !== null) return [code[0].length, `\\u{${code[1] ?? code[2]}}`];
    if (/[A-Za-z0-9]/.test(next)) throw unsupported(`the regular expression escape \\${next} in a class is`);
    return [2, next === '-' ? '\\-' : quoted(next)];
  }

  private open(): void {
    this.groups.push(emptyGroup());
    if (this.pattern[this.at + 1] !== '?') return this.take(1, '(');
    const opener = groupOpeners.find((form) => this.pattern.startsWith(form, this.at + 1));
    if (opener === undefined) throw unsupported(`the regular expression group (${this.pattern.slice(this.at + 1, this.at + 4)} is`);
    this.take(1 + opener.length, `(${opener}`);
  }

  private close(): void {
    const closed = this.groups.pop();
    if (closed === undefined || this.groups.length === 0) throw invalid('unmatched closing parenthesis');
    closed.weight += Math.ceil(Math.log2(closed.bars + 1));
    this.closed = closed;
    this.group.varies ||= closed.varies;
    this.group.unbounded ||= closed.unbounded;
    this.group.nested ||= closed.nested;
    this.group.weight += closed.weight;
    this.take(1, ')');
  }

  /** Reads a quantifier; a brace that is none is left to be read as a literal. */
  private quantifier(): boolean {
    const found = /^(?:[*+?]|\{(\d+)(,(\d*))?\})[?+]?/.exec(this.pattern.slice(this.at));
    if (found === null) return false;
    const [text] = found;
    if (text.length > 1 && text.endsWith('+')) throw unsupported('possessive quantifiers in regular expressions are');
    const [least, most] = bounds(found);
    if (this.closed?.varies === true && most > 1) this.repeatGroup(this.closed, most);
    if (most !== least) this.vary(least, most);
    this.closed = undefined;
    this.take(text.length, text);
    return true;
  }

  private repeatGroup(group: Group, most: number): void {
    if (most > maximumNesting || group.unbounded || group.nested) throw tooCostly();
    this.group.nested = true;
    this.group.weight += group.weight * (most - 1);
  }

  private vary(least: number, most: number): void {
    this.group.varies = true;
    if (most - least <= widestBound) {
      this.group.weight += Math.ceil(Math.log2(most - least + 1));
      return;
    }
    this.group.unbounded = true;
    this.unbounded++;
  }
}

const emptyGroup = (): Group => ({ varies: false, unbounded: false, nested: false, weight: 0, bars: 0 });

/** Least and most repetitions of a quantifier. */
function bounds([text, least, range, most]: RegExpExecArray): [number, number] {
  if (least === undefined) return [text.startsWith('+') ? 1 : 0, text.startsWith('?') ? 1 : Infinity];
  if (range === undefined) return [Number(least), Number(least)];
  return [Number(least), most === '' ? Infinity : Number(most)];
}

const tooCostly = (): Error => unsupported('regular expressions that repeat what itself repeats or branches, and so may take exponential time, are');

const quoted = (char: string): string => (/[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char);

const invalid = (reason: string): Error => located(51091, `Regular expression is invalid: ${reason}`);
