import { BadInput } from '../../../platform/errors/errors';

/** A word of a command, without its quotes. */
export interface ShellWord {
  readonly text: string;
  /** Nothing of it was quoted: `|` or `;` ends the command. */
  readonly isBare: boolean;
}

export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Variables of the shell, which stay as they are: `$TOKEN`. */
  readonly variables: readonly string[];
}

const BLANKS = /(?:\s|\\\r?\n)+/y;
const PLAIN = /[^\s\\'"$]+/y;
const PLAIN_IN_QUOTES = /[^\\"$]+/y;
const PLAIN_IN_ANSI = /[^\\']+/y;
const VARIABLE = /\$(?:[A-Za-z_]\w*|\{\w+\}|\([^)$]*\))/y;
const ESCAPE =
  /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|([^]))/y;
const LETTERS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
};

/** `^` before a quote or the end of a line is the escape of the Windows command line. */
const WINDOWS = /\^(?:"|[ \t]*\r?\n)/;

/**
 * Splits a command as bash does, or as the Windows command line if it is written for that.
 * @throws BadInput CURL_INVALID a quote is not closed
 */
export function splitCommand(command: string): ShellCommand {
  return new WordReader(WINDOWS.test(command) ? fromWindows(command) : command).read();
}

/**
 * Writes a command of the Windows command line for bash: `^` escapes the next character, and a
 * quoted text contains quotes and backslashes behind a backslash.
 */
const fromWindows = (command: string): string =>
  command
    .replace(
      /\^(?:[ \t]*\r?\n(\r?\n)?|([^]))/g,
      (_all, line?: string, character?: string) => line ?? character ?? ' ',
    )
    .replace(/\$/g, String.raw`\$&`);

class WordReader {
  private at = 0;
  private readonly variables: string[] = [];

  constructor(private readonly text: string) {}

  read(): ShellCommand {
    const words: ShellWord[] = [];
    for (;;) {
      this.match(BLANKS);
      if (this.at >= this.text.length) return { words, variables: this.variables };
      words.push(this.readWord());
    }
  }

  private readWord(): ShellWord {
    let text = '';
    let isBare = true;
    while (this.at < this.text.length && !/\s/.test(this.text.charAt(this.at))) {
      const plain = this.match(PLAIN)?.[0] ?? this.variable();
      if (plain === undefined) isBare = false;
      text += plain ?? this.quoted();
    }
    return { text, isBare };
  }

  private quoted(): string {
    if (this.take('\\')) return this.take('\r\n') || this.take('\n') ? '' : this.next();
    if (this.take("$'")) return this.readAnsi();
    if (this.take("'")) return this.readUntil("'");
    if (this.take('$"') || this.take('"')) return this.readDouble();
    return this.next();
  }

  private readUntil(quote: string): string {
    const end = this.text.indexOf(quote, this.at);
    if (end < 0) throw unclosed();
    const text = this.text.slice(this.at, end);
    this.at = end + quote.length;
    return text;
  }

  private readDouble(): string {
    let text = '';
    while (!this.take('"')) {
      const plain = this.match(PLAIN_IN_QUOTES)?.[0] ?? this.variable();
      if (plain !== undefined) text += plain;
      else if (this.take('\\')) {
        if (this.take('\r\n') || this.take('\n')) continue;
        const character = this.next();
        text += '$`"\\'.includes(character) ? character : `\\${character}`;
      } else text += this.next();
    }
    return text;
  }

  private readAnsi(): string {
    let text = '';
    while (!this.take("'")) {
      const escape = this.match(ESCAPE);
      text += escape === null ? (this.match(PLAIN_IN_ANSI)?.[0] ?? this.next()) : unescaped(escape);
    }
    return text;
  }

  private variable(): string | undefined {
    const name = this.match(VARIABLE)?.[0];
    if (name !== undefined) this.variables.push(name);
    return name;
  }

  private next(): string {
    if (this.at >= this.text.length) throw unclosed();
    this.at += 1;
    return this.text.charAt(this.at - 1);
  }

  private take(text: string): boolean {
    if (!this.text.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    this.at += match?.[0].length ?? 0;
    return match;
  }
}

function unescaped([, byte, short, long, octal, letter = '']: RegExpExecArray): string {
  const code = byte ?? short ?? long;
  if (code !== undefined) return String.fromCodePoint(Math.min(parseInt(code, 16), 0x10ffff));
  if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
  return LETTERS[letter] ?? (`\\'"?`.includes(letter) ? letter : `\\${letter}`);
}

const unclosed = (): BadInput =>
  new BadInput('CURL_INVALID', 'A quote of the command is not closed.', { path: ['command'] });
