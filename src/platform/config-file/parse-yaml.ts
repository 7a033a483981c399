import type { CST, Document, LineCounter, Node, ParsedNode, Scalar } from 'yaml';

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

export interface ParsedYaml {
  readonly documents: readonly YamlDocument[];
  /** By offset, without those between brackets and braces. */
  readonly comments: readonly { readonly offset: number; readonly text: string }[];
  /** Offsets of the lines between documents. */
  readonly separators: readonly number[];
  readonly lineCounter: LineCounter;
}

/**
 * Parses all documents of a text, with YAML 1.1 and keys as they are written: `n` and `0777` are no
 * booleans or numbers there.
 * @throws Error if it is nested too deeply
 */
export function parseYaml(source: string, uniqueKeys = true): ParsedYaml {
  const { Composer, CST, Lexer, LineCounter, Parser, isScalar, visit } = yaml();
  const lineCounter = new LineCounter();
  lineCounter.addNewLine(0);
  const parser = new Parser(lineCounter.addNewLine);
  const tokens: CST.Token[] = [];
  const comments: { offset: number; text: string }[] = [];
  const separators: number[] = [];
  let before = '';
  for (const lexeme of new Lexer().lex(source)) {
    const { offset, stack } = parser;
    const type = before === CST.SCALAR ? 'scalar' : CST.tokenType(lexeme);
    if (type === 'doc-start' || type === 'doc-end') separators.push(offset);
    if (type === 'comment' && !stack.some((token) => token.type === 'flow-collection'))
      comments.push({ offset, text: lexeme });
    tokens.push(...parser.next(lexeme));
    // The document and the value are on the stack, too.
    if (stack.length > MAX_DEPTH + 2)
      throw new Error(`it is nested more than ${MAX_DEPTH} levels deep`);
    before = lexeme;
  }
  tokens.push(...parser.end());
  const options = {
    version: '1.1',
    keepSourceTokens: true,
    logLevel: 'silent',
    uniqueKeys,
  } as const;
  const documents = [...new Composer(options).compose(tokens)] as YamlDocument[];
  for (const document of documents)
    visit(document, {
      Pair(_key, { key }) {
        if (isScalar(key) && typeof key.value !== 'string' && typeof key.value !== 'symbol')
          key.value = key.source ?? '';
      },
    });
  return { documents, comments, separators, lineCounter };
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
