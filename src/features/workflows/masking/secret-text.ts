import { unescape } from 'node:querystring';
import type { Steps, Turn } from '../../../platform/json/turns';
import { isSecretName, isSecretParameter } from '../../../platform/secrets';
import { localName } from '../../../platform/xml/local-name';
import { ENDS_AUTHORITY, isKind } from './character-kinds';
import { TextLexer } from './text-lexer';
import type { Token } from './text-lexer';

/** Gives the text that stands for a secret value. `name` says where it stands: the same in a text with other values. Several may have one name. */
export type Replace = (name: string, value: string) => string;

/** How deep texts in texts are read; what lies deeper is one secret. */
const DEEPEST = 4;
/** Characters that are read before somebody asks whether the turn is over. */
const STRETCH = 2048;
/** Pieces that are put together at one go. */
const PIECES = 8192;
/** Characters of a name that are decoded, and of the names around a value that are told apart. */
const LONGEST_NAME = 3_000;
const LONGEST_PLACE = 500;

/**
 * Rewrites every value that stands under the name of a secret in a text of whatever kind: JSON, also with references instead of values,
 * forms and queries of URLs, their user part, elements and attributes of XML, arguments of GraphQL, lines of `name: value`. Where
 * it cannot tell where a value ends it takes more rather than less. Everything else stays as it is, to the byte. Linear time, in turns.
 */
export function* rewriteSecrets(
  text: string,
  replace: Replace,
  turn: Turn,
  depth = 0,
): Steps<string> {
  // Neither a name with a value, nor an element.
  if (!/[:=<]/.test(text)) return text;
  return yield* new SecretRewriter(text, replace, turn, depth).rewritten();
}

class SecretRewriter {
  private readonly lexer: TextLexer;
  private readonly pieces: string[] = [];
  private rewrittenSoFar = '';
  private copied = 0;
  private look = STRETCH;
  private tagEnd = 0;
  /** One entry per open bracket: is everything inside secret, and under which name? */
  private readonly open: (string | null)[] = [];

  constructor(
    private readonly text: string,
    private readonly replace: Replace,
    private readonly turn: Turn,
    private readonly depth: number,
  ) {
    this.lexer = new TextLexer(text);
  }

  *rewritten(): Steps<string> {
    for (let token = this.lexer.next(); token; token = this.lexer.next()) {
      const long = this.read(token);
      if (long !== null) yield* long;
      if (this.lexer.at < this.look) continue;
      this.look = this.lexer.at + STRETCH;
      if (this.turn.over) yield;
    }
    this.join();
    return this.rewrittenSoFar + this.text.slice(this.copied);
  }

  /** What may take long is handed back, to be done in turns. */
  private read(token: Token): Steps<void> | null {
    if (token.kind === 'mark') this.readMark(token);
    if (token.kind === 'mark' || token.kind === 'reference') return null;
    const separator = this.separatorAfter();
    if (separator !== null) return this.readValue(nameOf(this.said(token)), separator);
    const secret = this.open.at(-1) ?? null;
    if (secret === null) return token.kind === 'quoted' ? this.readInside(token) : null;
    this.put(secret, token);
    return null;
  }

  private readMark({ from }: Token): void {
    const char = this.text[from] ?? '';
    if ('{[('.includes(char)) this.open.push(this.open.at(-1) ?? null);
    else if ('}])'.includes(char)) this.open.pop();
    else if (char === '<') this.readElement();
    else if (char === '/' && this.text[from + 1] === '/') this.readAuthority(from + 2);
  }

  /** `:` or `=` behind a name, also behind the closing bracket of `user[password]=`. */
  private separatorAfter(): ':' | '=' | null {
    const { lexer, text } = this;
    const behind = lexer.at;
    lexer.skipBlanks();
    while (text[lexer.at] === ']') lexer.at += 1;
    const char = text[lexer.at];
    if (char === '=' || (char === ':' && text[lexer.at - 1] !== ']')) {
      lexer.at += 1;
      return char;
    }
    lexer.at = behind;
    return null;
  }

  private readValue(name: string, separator: ':' | '='): Steps<void> | null {
    const { lexer, text } = this;
    const enclosing = this.open.at(-1) ?? null;
    if (enclosing === null && !isSecretBefore(separator, name, text[lexer.at] ?? '')) return null;
    const place = placeIn(enclosing, name);
    const start = lexer.at;
    lexer.skipBlanks();
    // An empty parameter is followed by a line, not by its value.
    if (separator === '=' && text.slice(start, lexer.at).includes('\n')) return null;
    const value = lexer.next();
    if (value === null || value.kind === 'reference')
      return this.readBehindReference(place, separator, value);
    if (value.kind === 'mark' && '{['.includes(text[value.from] ?? '')) {
      this.open.push(place);
      return null;
    }
    if (
      value.kind === 'quoted' ||
      (separator === ':' && value.kind === 'bare' && this.isToken(value))
    ) {
      if (text[value.from] !== '$') this.put(place, value);
      return null;
    }
    lexer.at = value.from;
    return this.putUntil(place, separator === '=' ? '&' : '');
  }

  private *putUntil(place: string, ends: string): Steps<void> {
    this.put(place, yield* this.lexer.until(ends, this.turn));
  }

  /** `{%…%}-suffix` of a form is no mere reference. */
  private readBehindReference(
    place: string,
    separator: ':' | '=',
    reference: Token | null,
  ): Steps<void> | null {
    if (!reference || separator === ':') return null;
    this.lexer.at = reference.from;
    return this.putUntil(place, '&');
  }

  /** Does the value end with this word, as numbers, names and variables do in JSON and GraphQL? */
  private isToken({ from, to }: Token): boolean {
    if (!/^(?:-?\d[\d.eE+-]*|true|false|null|\$\w+|\*{3})$/.test(this.text.slice(from, to)))
      return false;
    const { lexer } = this;
    lexer.skipBlanks();
    const isEnd =
      lexer.done ||
      ',}])'.includes(this.text[lexer.at] ?? '') ||
      this.text.slice(to, lexer.at).includes('\n');
    if (!isEnd) lexer.at = from;
    return isEnd;
  }

  /** `<password type="x">value</password>` */
  private readElement(): void {
    const { lexer, text } = this;
    const name = lexer.next();
    if (name?.kind !== 'bare') {
      if (name) lexer.at = name.from;
      return;
    }
    const written = text.slice(name.from, name.to);
    if (!isSecretName(localName(written))) return;
    const opened = this.tagEndBehind(name.to);
    if (text[opened - 1] === '/') return;
    const closing = opened < 0 ? -1 : text.indexOf(`</${written}`, opened);
    const to = closing < 0 ? text.length : closing;
    this.put(localName(written), { kind: 'bare', from: opened < 0 ? name.to : opened + 1, to });
    lexer.at = to;
  }

  /** The next `>`, or -1; nobody looks twice for the same one. */
  private tagEndBehind(from: number): number {
    if (this.tagEnd >= 0 && this.tagEnd < from) this.tagEnd = this.text.indexOf('>', from);
    return this.tagEnd;
  }

  /** `https://user:password@host` */
  private readAuthority(from: number): void {
    let to = from;
    while (to < this.text.length && !isKind(this.text, to, ENDS_AUTHORITY)) to += 1;
    const authority = this.text.slice(from, to);
    const [colon, host] = [authority.indexOf(':'), authority.lastIndexOf('@')];
    if (colon < 0 || host < colon) return;
    this.put('//', { kind: 'bare', from: from + colon + 1, to: from + host });
    this.lexer.at = from + host;
  }

  /** Texts in texts: JSON as a string of JSON. */
  private *readInside(token: Token): Steps<void> {
    const quoted = this.text.slice(token.from, token.to);
    if (!/[:=]/.test(quoted)) return;
    const inner = unquoted(quoted);
    const rewritten =
      this.depth < DEEPEST
        ? yield* rewriteSecrets(
            inner,
            (place, value) => this.replaced(`" ${place}`, value),
            this.turn,
            this.depth + 1,
          )
        : this.replaced('"', inner);
    if (rewritten !== inner) this.write(token.from, token.to, requoted(rewritten, quoted));
  }

  private put(place: string, { kind, from, to }: Token): void {
    const raw = this.text.slice(from, to);
    if (raw === 'true' || raw === 'false' || raw === 'null') return;
    if (kind !== 'quoted') return this.write(from, to, this.replaced(place, raw));
    const [inner, written] = [raw.slice(1, -1), this.replaced(place, raw.slice(1, -1))];
    if (written !== inner) this.write(from, to, `${raw[0]}${written}${raw[0]}`);
  }

  private write(from: number, to: number, written: string): void {
    this.pieces.push(this.text.slice(this.copied, from), written);
    this.copied = to;
    if (this.pieces.length >= PIECES) this.join();
  }

  private join(): void {
    this.rewrittenSoFar += this.pieces.join('');
    this.pieces.length = 0;
  }

  private replaced(place: string, value: string): string {
    return value === '' ? value : this.replace(place, value);
  }

  private said({ kind, from, to }: Token): string {
    return kind === 'quoted' ? unquoted(this.text.slice(from, to)) : this.text.slice(from, to);
  }
}

/** `$password: String!` declares a variable and holds no value. A `key` or `code` is secret in forms and queries only: `code="DE"` is an attribute. */
const isSecretBefore = (separator: ':' | '=', name: string, next: string): boolean =>
  separator === '=' && next !== '"' && next !== "'"
    ? isSecretParameter(name)
    : isSecretName(name) && !name.startsWith('$');

/** Names in forms and queries are encoded. */
function nameOf(said: string): string {
  const name = said.slice(0, LONGEST_NAME);
  return /[%+]/.test(name) ? unescape(name.replaceAll('+', ' ')) : name;
}

/** In names within names within names, the innermost are not told apart any more. */
function placeIn(enclosing: string | null, name: string): string {
  if (enclosing === null) return name;
  return enclosing.length > LONGEST_PLACE ? enclosing : `${enclosing} ${name}`;
}

function unquoted(quoted: string): string {
  if (quoted.startsWith('"') && quoted.includes('\\')) {
    try {
      return JSON.parse(quoted) as string;
    } catch {
      // Not of JSON: as it stands.
    }
  }
  return quoted.slice(1, -1);
}

const requoted = (text: string, like: string): string =>
  like.startsWith('"') && like.includes('\\')
    ? JSON.stringify(text)
    : `${like[0]}${text}${like[0]}`;
