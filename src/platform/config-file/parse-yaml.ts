import type { Document, Node, ParsedNode, Scalar } from 'yaml';

/** A value of the configuration, as it is shown and sent. */
export type Plain = string | number | boolean | null;
export type Value = Plain | readonly Value[] | { readonly [key: string]: Value };
export type YamlDocument = Document.Parsed<ParsedNode>;

let loaded: typeof import('yaml') | undefined;
/** Loaded late: most processes edit no configuration. */
export const yaml = (): typeof import('yaml') =>
  (loaded ??= require('yaml') as typeof import('yaml'));

export const MAX_CONFIG_FILE_BYTES = 256 * 1024;
const MAX_DEPTH = 50;

export interface Line {
  readonly text: string;
  readonly lineEnd: string;
  /** `inner`: within a value that began on a line before. */
  kind: 'blank' | 'comment' | 'content' | 'inner';
  /** A comment at the end of a line with content. */
  inlineComment: string | null;
}

/**
 * Splits a text into lines and finds its comments.
 * @throws Error if it is nested too deeply to be parsed
 */
export function scanLines(source: string): Line[] {
  const lines = linesOf(source);
  const { CST, Lexer } = yaml();
  const columns: number[] = [];
  let [line, column, flow, header, isScalar] = [0, 0, 0, '', false];
  for (const lexeme of new Lexer().lex(source)) {
    const type = isScalar ? 'scalar' : CST.tokenType(lexeme);
    const isText = isScalar || /-quoted-scalar$/.test(type ?? '');
    isScalar = type === 'scalar' && !isScalar;
    if (isScalar || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (type === 'block-scalar-header') header = lexeme;
    if (type === 'flow-map-start' || type === 'flow-seq-start') flow += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') flow = Math.max(0, flow - 1);
    if (flow === 0 && (isText || type === 'seq-item-ind' || type === 'explicit-key-ind')) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      if (header === '') columns.push(column);
    }
    if (columns.length + flow > MAX_DEPTH)
      throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
    if (type === 'comment') {
      const isOwnLine = lines[line].text.slice(0, column).trim() === '';
      if (!isOwnLine) lines[line].inlineComment = lexeme;
      else if (lines[line].kind === 'content') lines[line].kind = 'comment';
    }
    const isBlockText = isText && header !== '';
    if (isText) {
      // Empty lines at the end belong to a text that keeps them only.
      const own = isBlockText && !header.includes('+') ? lexeme.trimEnd() : lexeme;
      const last = line + own.split('\n').length - (own.endsWith('\n') ? 2 : 1);
      for (let each = isBlockText ? line : line + 1; each <= last; each += 1)
        lines[each].kind = 'inner';
      header = '';
    }
    if (!lexeme.includes('\n')) {
      column += lexeme.length;
      continue;
    }
    line += lexeme.split('\n').length - 1;
    column = lexeme.length - lexeme.lastIndexOf('\n') - 1;
    if (flow > 0 && line < lines.length) lines[line].kind = 'inner';
  }
  return lines;
}

function linesOf(source: string): Line[] {
  if (source === '') return [];
  const parts = source.split(/(\r?\n)/);
  const lines: Line[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const [text, lineEnd = ''] = [parts[index], parts[index + 1]];
    if (text === '' && lineEnd === '') continue;
    lines.push({
      text,
      lineEnd,
      kind: text.trim() === '' ? 'blank' : 'content',
      inlineComment: null,
    });
  }
  return lines;
}

/**
 * Parses all documents of a text, with YAML 1.1 and keys as they are written: `n` and `0777` are no
 * booleans or numbers there.
 */
export function parseDocuments(source: string, uniqueKeys = true): YamlDocument[] {
  const { isScalar, parseAllDocuments, visit } = yaml();
  const documents = parseAllDocuments(source, {
    version: '1.1',
    keepSourceTokens: true,
    logLevel: 'silent',
    prettyErrors: true,
    uniqueKeys,
  });
  if (!Array.isArray(documents)) return [];
  for (const document of documents as YamlDocument[])
    visit(document, {
      Pair(_key, { key }) {
        if (isScalar(key) && typeof key.value !== 'string' && typeof key.value !== 'symbol')
          key.value = key.source ?? '';
      },
    });
  return documents as YamlDocument[];
}

/** Returns a scalar as it is shown. Dates and numbers that lose digits stay texts. */
export function plainOf({ value, source = '' }: Scalar): Plain {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  const isExact =
    typeof value === 'number' &&
    Number.isFinite(value) &&
    (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? value : source;
}

/** Returns what a text without quotes means, or undefined if it is no single value. */
export function meaningOf(text: string): Plain | undefined {
  const { isScalar, parseDocument } = yaml();
  const { contents, errors } = parseDocument<Node>(text, { version: '1.1', logLevel: 'silent' });
  return errors.length === 0 && isScalar(contents) ? plainOf(contents) : undefined;
}
