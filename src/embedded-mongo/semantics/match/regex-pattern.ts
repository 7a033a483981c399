import { located, unsupported } from '../errors';

/** A pattern in JavaScript's syntax (flag `u`), and how much backtracking it may cost. */
export interface TranslatedPattern {
  readonly source: string;
  /** Repetitions without an upper bound. */
  readonly unbounded: number;
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

interface Group {
  readonly start: number;
  repeatsInside: boolean;
}

/**
 * Writes a PCRE pattern in JavaScript's syntax. The two differ silently in places (`$` before a final newline, what `.`
 * and `\s` cover, `\A`), so every construct is either known here or refused by name.
 * Repetition without bound of a group that itself repeats or branches is refused: it can take exponential time.
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
  private readonly groups: Group[] = [];
  private closed: Group | undefined;

  constructor(private readonly pattern: string, private readonly options: PatternOptions) {}

  read(): TranslatedPattern {
    while (this.at < this.pattern.length) this.step();
    if (this.groups.length > 0) throw invalid('missing closing parenthesis');
    return { source: this.out.join(''), unbounded: this.unbounded };
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
        this.markRepeat();
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
    this.groups.push({ start: this.at, repeatsInside: false });
    if (this.pattern[this.at + 1] !== '?') return this.take(1, '(');
    const opener = groupOpeners.find((form) => this.pattern.startsWith(form, this.at + 1));
    if (opener === undefined) throw unsupported(`the regular expression group (${this.pattern.slice(this.at + 1, this.at + 4)} is`);
    this.take(1 + opener.length, `(${opener}`);
  }

  private close(): void {
    this.closed = this.groups.pop();
    if (this.closed === undefined) throw invalid('unmatched closing parenthesis');
    if (this.closed.repeatsInside) this.markRepeat();
    this.take(1, ')');
  }

  /** Reads a quantifier; a brace that is none is left to be read as a literal. */
  private quantifier(): boolean {
    const found = /^(?:[*+?]|\{\d+(?:,\d*)?\})[?+]?/.exec(this.pattern.slice(this.at));
    if (found === null) return false;
    const [text] = found;
    if (text.length > 1 && text.endsWith('+')) throw unsupported('possessive quantifiers in regular expressions are');
    if (/^(?:[*+]|\{\d+,\})/.test(text)) {
      this.unbounded++;
      if (this.closed?.repeatsInside === true) throw unsupported('regular expressions that repeat a repeating or branching group are');
    }
    this.markRepeat();
    this.closed = undefined;
    this.take(text.length, text);
    return true;
  }

  private markRepeat(): void {
    const group = this.groups.at(-1);
    if (group !== undefined) group.repeatsInside = true;
  }
}

const quoted = (char: string): string => (/[\^$\\.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char);

const invalid = (reason: string): Error => located(51091, `Regular expression is invalid: ${reason}`);
