import { GraphQLError, Lexer, Source, TokenKind } from 'graphql';
import type { Limits } from '../../config/config';

/** Every error of graphql-js counts the lines before it; a document of one token a line has half as many as these. */
const MAX_LINES = 10_000;

const OPENING: ReadonlySet<string> = new Set([TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]);
const CLOSING: ReadonlySet<string> = new Set([TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]);

export type TextLimits = Pick<Limits, 'documentBytes' | 'tokens' | 'nesting'>;

/**
 * What the text of a document has too much of, as a sentence; null when it may be parsed. Nesting is counted here, since the parser calls
 * itself for each level. Text that is no GraphQL is left for the parser to describe.
 */
export function textExcess(text: string, limits: TextLimits): string | null {
  if (Buffer.byteLength(text) > limits.documentBytes) return `The document has more than ${limits.documentBytes} bytes.`;
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  for (let tokens = 0; ; tokens += 1) {
    const kind = nextKind(lexer);
    if (kind === null || kind === TokenKind.EOF) return lexer.line > MAX_LINES ? `The document has more than ${MAX_LINES} lines.` : null;
    if (tokens === limits.tokens) return `The document has more than ${limits.tokens} tokens.`;
    if (OPENING.has(kind)) nesting += 1;
    else if (CLOSING.has(kind)) nesting -= 1;
    if (nesting > limits.nesting) return `The document is nested more than ${limits.nesting} levels deep.`;
  }
}

function nextKind(lexer: Lexer): TokenKind | null {
  try {
    return lexer.advance().kind;
  } catch (error) {
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}
