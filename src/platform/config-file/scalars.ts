import type { CST, ScalarTag } from 'yaml';

/** A value of the configuration, as it is shown and sent. */
export type Plain = string | number | boolean | null;
type Yaml = typeof import('yaml');

const OPPOSITES: readonly (readonly [string, string])[] = [
  ['true', 'false'],
  ['yes', 'no'],
  ['on', 'off'],
];

/** Reads and writes single values with the meaning of YAML 1.1. */
export class Scalars {
  private readonly tags: readonly ScalarTag[];
  private readonly known = new Map<string, Plain>();

  constructor(private readonly yaml: Yaml) {
    const { schema } = new yaml.Document(null, { version: '1.1' });
    this.tags = schema.tags.filter(
      (tag): tag is ScalarTag => tag.default === true && 'test' in tag && tag.test !== undefined,
    );
  }

  /** Returns what an unquoted text means. Dates and numbers that lose digits stay texts. */
  meaning(text: string): Plain {
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const tag = this.tags.find(({ test }) => test?.test(text) === true);
    const value: unknown = tag?.resolve(text, () => undefined, {});
    const plain = tag === undefined ? text : toPlain(value, text);
    if (this.known.size < 10_000) this.known.set(text, plain);
    return plain;
  }

  read(token: CST.Token): Plain {
    if (token.type === 'scalar')
      return this.meaning(this.yaml.CST.resolveAsScalar(token, true).value);
    return this.yaml.CST.resolveAsScalar(token as CST.FlowScalar | CST.BlockScalar, true).value;
  }

  /**
   * Returns the text of a value. A text that would mean something else without quotes is quoted.
   */
  write(value: Plain, isInFlow = false): string {
    if (typeof value !== 'string') return String(value);
    return this.isSafe(value, isInFlow) ? value : quoted(value);
  }

  /** Returns the text of a value in the style of the one that it replaces. */
  rewrite(
    value: Plain,
    token: CST.Token,
    at: { readonly indent: number; readonly isInFlow: boolean },
  ): string {
    if (token.type === 'scalar') return this.rewritePlain(value, token.source, at.isInFlow);
    if (value === null) return 'null';
    const text = String(value);
    if (token.type === 'single-quoted-scalar' && isPrintable(text))
      return `'${text.replaceAll("'", "''")}'`;
    if (token.type === 'block-scalar' && text.includes('\n')) {
      const written = this.block(text, token, at.indent);
      if (written !== null) return written;
    }
    return quoted(text);
  }

  /** Returns the value that a client means: a text keeps the type of the value that it replaces. */
  typed(given: Plain, token: CST.Token): Plain {
    if (token.type !== 'scalar') return given === null ? null : String(given);
    const before = this.meaning(token.source);
    if (typeof given !== 'string' || typeof before === 'string' || before === null) return given;
    const text = given.trim();
    const value = this.meaning(text);
    const isSame =
      typeof value === typeof before && (typeof value !== 'number' || String(value) === text);
    return isSame ? value : given;
  }

  private rewritePlain(value: Plain, source: string, isInFlow: boolean): string {
    if (typeof value !== 'boolean') return this.write(value, isInFlow);
    const pair = OPPOSITES.find((words) => words.includes(source.toLowerCase())) ?? OPPOSITES[0];
    const word = pair[value ? 0 : 1];
    if (source === source.toUpperCase() && source.length > 1) return word.toUpperCase();
    return /^[A-Z]/.test(source) ? word[0].toUpperCase() + word.slice(1) : word;
  }

  private isSafe(text: string, isInFlow: boolean): boolean {
    if (!/^(?:[\p{L}\p{N}_./$(~+\\]|-[^\s-])[^\p{Cc}\u2028\u2029\ufeff]*$/u.test(text))
      return false;
    if (text.trim() !== text || /:(?:\s|$)|\s#/.test(text)) return false;
    if (isInFlow && /[,[\]{}]/.test(text)) return false;
    return this.meaning(text) === text && !this.tags.some(({ test }) => test?.test(text) === true);
  }

  /** Null if the text cannot be written as a block. */
  private block(text: string, token: CST.BlockScalar, indent: number): string | null {
    const header = token.props.find(({ type }) => type === 'block-scalar-header');
    const style = header && 'source' in header ? header.source[0] : '|';
    const written = this.yaml.CST.createScalarToken(text, {
      end: [],
      indent: /^( +)\S/m.exec(token.source)?.[1].length ?? indent + 2,
      type: style === '>' ? 'BLOCK_FOLDED' : 'BLOCK_LITERAL',
    });
    if (written.type !== 'block-scalar') return null;
    const source = this.yaml.CST.stringify(written);
    const [again] = this.yaml.parseAllDocuments(`${' '.repeat(indent)}k: ${source}\n`);
    return 'errors' in again &&
      again.errors.length === 0 &&
      (again.toJS() as { k: unknown }).k === text
      ? source.replace(/\n$/, '')
      : null;
  }
}

export const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const isPrintable = (text: string): boolean => /^[^\p{Cc}\u2028\u2029\ufeff]*$/u.test(text);

function toPlain(value: unknown, source: string): Plain {
  if (value === null || typeof value === 'boolean') return value;
  if (
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value))
  )
    return value;
  return value !== null && typeof value === 'object' && 'value' in value
    ? toPlain(value.value, source)
    : source;
}
