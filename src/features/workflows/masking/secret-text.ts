import { unescape } from 'node:querystring';
import { isSecretName, isSecretParameter } from '../../../platform/secrets';
import { localName } from '../../../platform/xml/read-xml';
import { ENDS_AUTHORITY, isKind, TextLexer } from './text-lexer';
import type { Token } from './text-lexer';

/**
 * Returns the replacement of a secret value. `name` identifies its place in texts with the same
 * structure; several values may have the same name.
 */
export type Replace = (name: string, value: string) => string;

/** Maximum depth of texts within texts; anything deeper is masked as a whole. */
const DEEPEST = 4;
/** Pieces joined at once. */
const PIECES = 8192;
/** Maximum characters of a name that are decoded, and of a nested name that are compared. */
const LONGEST_NAME = 3_000;
const LONGEST_PLACE = 500;

/**
 * Replaces every secret value in a text of any format: JSON (also with references as values),
 * forms, URL queries and user parts, XML elements and attributes, GraphQL arguments, and lines of
 * `name: value`. If the end of a value is unclear, it masks more rather than less. Everything else
 * stays byte for byte. Linear time.
 */
export function rewriteSecrets(text: string, replace: Replace, depth = 0): string {
  // Contains neither a name with a value nor an element.
  if (!/[:=<]/.test(text)) return text;
  return new SecretRewriter(text, replace, depth).rewritten();
}

class SecretRewriter {
  private readonly lexer: TextLexer;
  private readonly pieces: string[] = [];
  private rewrittenSoFar = '';
  private copied = 0;
  private tagEnd = 0;
  /** For each open bracket: the name of the enclosing secret, or null if there is none. */
  private readonly open: (string | null)[] = [];

  constructor(
    private readonly text: string,
    private readonly replace: Replace,
    private readonly depth: number,
  ) {
    this.lexer = new TextLexer(text);
  }

  rewritten(): string {
    for (let token = this.lexer.next(); token; token = this.lexer.next()) this.read(token);
    this.join();
    return this.rewrittenSoFar + this.text.slice(this.copied);
  }

  private read(token: Token): void {
    if (token.kind === 'mark') this.readMark(token);
    if (token.kind === 'mark' || token.kind === 'reference') return;
    const separator = this.separatorAfter();
    const secret = this.open.at(-1) ?? null;
    if (separator !== null) this.readValue(nameOf(this.textOf(token)), separator);
    else if (secret !== null) this.put(secret, token);
    else if (token.kind === 'quoted') this.readInside(token);
  }

  private readMark({ from }: Token): void {
    const char = this.text[from] ?? '';
    if ('{[('.includes(char)) this.open.push(this.open.at(-1) ?? null);
    else if ('}])'.includes(char)) this.open.pop();
    else if (char === '<') this.readElement();
    else if (char === '/' && this.text[from + 1] === '/') this.readAuthority(from + 2);
  }

  /** `:` or `=` after a name, also after the closing bracket of `user[password]=`. */
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

  private readValue(name: string, separator: ':' | '='): void {
    const { lexer, text } = this;
    const enclosing = this.open.at(-1) ?? null;
    if (enclosing === null && !isSecretBefore(separator, name, text[lexer.at] ?? '')) return;
    const place = placeIn(enclosing, name);
    const start = lexer.at;
    lexer.skipBlanks();
    // An empty parameter: what follows is the next line, not the value.
    if (separator === '=' && text.slice(start, lexer.at).includes('\n')) return;
    const value = lexer.next();
    if (value === null || value.kind === 'reference')
      return this.readBehindReference(place, separator, value);
    if (value.kind === 'mark' && '{['.includes(text[value.from] ?? '')) {
      this.open.push(place);
      return;
    }
    if (
      value.kind === 'quoted' ||
      (separator === ':' && value.kind === 'bare' && this.isToken(value))
    ) {
      if (text[value.from] !== '$') this.put(place, value);
      return;
    }
    lexer.at = value.from;
    this.putUntil(place, separator === '=' ? '&' : '');
  }

  private putUntil(place: string, ends: string): void {
    this.put(place, this.lexer.until(ends));
  }

  /** In a form, `{%…%}-suffix` is more than a reference. */
  private readBehindReference(place: string, separator: ':' | '=', reference: Token | null): void {
    if (!reference || separator === ':') return;
    this.lexer.at = reference.from;
    this.putUntil(place, '&');
  }

  /**
   * Returns whether the value ends after this token, as numbers, names and variables do in JSON and
   * GraphQL.
   */
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

  /** The position of the next `>`, or -1. Cached, so that the text is scanned only once. */
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

  /** Masks texts within texts, such as JSON in a JSON string. */
  private readInside(token: Token): void {
    const quoted = this.text.slice(token.from, token.to);
    if (!/[:=]/.test(quoted)) return;
    const inner = unquoted(quoted);
    const rewritten =
      this.depth < DEEPEST
        ? rewriteSecrets(
            inner,
            (place, value) => this.replaced(`" ${place}`, value),
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

  private textOf({ kind, from, to }: Token): string {
    return kind === 'quoted' ? unquoted(this.text.slice(from, to)) : this.text.slice(from, to);
  }
}

/**
 * `$password: String!` declares a variable and has no value. `key` and `code` are secret only in
 * forms and queries: `code="DE"` is an attribute.
 */
const isSecretBefore = (separator: ':' | '=', name: string, next: string): boolean =>
  separator === '=' && next !== '"' && next !== "'"
    ? isSecretParameter(name)
    : isSecretName(name) && !name.startsWith('$');

/** Names in forms and queries are URL-encoded. */
function nameOf(text: string): string {
  const name = text.slice(0, LONGEST_NAME);
  return /[%+]/.test(name) ? unescape(name.replaceAll('+', ' ')) : name;
}

/** Deeply nested names are cut, so the innermost ones may be equal. */
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
