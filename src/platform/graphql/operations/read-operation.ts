import { getOperationAST, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Limits } from '../../../config/config';
import { limitErrors, measureDocument } from './document-limits';
import type { DocumentSize } from './document-limits';
import { apiError } from './error-format';
import type { Variables } from './variables-size';
import { LRUCache } from 'lru-cache';

/**
 * Limits the lines of a document, which graphql-js counts for every error. Twice as many as a
 * document has at the default token limit with one token a line.
 */
const MAX_LINES = 10_000;

const OPENING: ReadonlySet<string> = new Set([
  TokenKind.BRACE_L,
  TokenKind.BRACKET_L,
  TokenKind.PAREN_L,
]);
const CLOSING: ReadonlySet<string> = new Set([
  TokenKind.BRACE_R,
  TokenKind.BRACKET_R,
  TokenKind.PAREN_R,
]);

type TextLimits = Pick<Limits, 'documentBytes' | 'tokens' | 'nesting'>;

/**
 * Returns which limit the text exceeds, as a sentence, or null if it may be parsed. Nesting is
 * counted here because the parser is recursive. The parser reports text that is not GraphQL.
 */
function textExcess(text: string, limits: TextLimits): string | null {
  if (Buffer.byteLength(text) > limits.documentBytes)
    return `The document has more than ${limits.documentBytes} bytes.`;
  const lexer = new Lexer(new Source(text));
  let nesting = 0;
  for (let tokens = 0; ; tokens += 1) {
    const kind = nextKind(lexer);
    if (kind === null || kind === TokenKind.EOF)
      return lexer.line > MAX_LINES ? `The document has more than ${MAX_LINES} lines.` : null;
    if (tokens === limits.tokens) return `The document has more than ${limits.tokens} tokens.`;
    if (OPENING.has(kind)) nesting += 1;
    else if (CLOSING.has(kind)) nesting -= 1;
    if (nesting > limits.nesting)
      return `The document is nested more than ${limits.nesting} levels deep.`;
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

/** Limits of the document cache. A node of a parsed document takes about 300 bytes. */
const MOST = { documents: 1_000, nodes: 200_000 } as const;

/** A valid document and its size. */
interface KnownDocument {
  readonly document: DocumentNode;
  readonly size: DocumentSize;
}

/** Parsed and valid documents by their text; the least recently used are evicted. */
type DocumentCache = LRUCache<string, KnownDocument>;

const createDocumentCache = (): DocumentCache =>
  new LRUCache({
    max: MOST.documents,
    maxSize: MOST.nodes,
    sizeCalculation: ({ size }) => Math.max(1, size.nodes),
  });

/** An operation as a client sent it. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Variables | null;
}

/** A document within its limits, and the operation to run. */
export interface ReadOperation {
  readonly verdict: 'read';
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly size: DocumentSize;
  /** Whether it is in the cache, which keeps only valid documents. */
  readonly isKnown: boolean;
}

/**
 * `malformed`: does not parse, is not valid, or names no operation. `limit`: exceeds a limit. The
 * two have different HTTP statuses.
 */
export interface InvalidOperation {
  readonly verdict: 'malformed' | 'limit';
  readonly errors: readonly GraphQLError[];
}

export const malformedOperation = (...errors: GraphQLError[]): InvalidOperation => ({
  verdict: 'malformed',
  errors,
});
export const limitExceeded = (...errors: GraphQLError[]): InvalidOperation => ({
  verdict: 'limit',
  errors,
});

const caches = new WeakMap<GraphQLSchema, DocumentCache>();

/** Returns the cache of valid documents of a schema, shared by HTTP and WebSocket. */
export function documentCacheOf(schema: GraphQLSchema): DocumentCache {
  const cache = caches.get(schema) ?? createDocumentCache();
  caches.set(schema, cache);
  return cache;
}

/**
 * Parses and measures a document, in time that grows with its length. Runs before the session is
 * read, so any client can cause this work. Never throws.
 */
export function readOperation(
  schema: GraphQLSchema,
  { query, operationName }: OperationRequest,
  limits: Limits,
): ReadOperation | InvalidOperation {
  const known = documentCacheOf(schema).get(query);
  const read = known ?? readDocument(query, limits);
  if ('verdict' in read) return read;
  const operation = getOperationAST(read.document, operationName);
  if (!operation)
    return malformedOperation(
      apiError('OPERATION_RESOLUTION_FAILURE', missingOperationMessage(operationName)),
    );
  return {
    verdict: 'read',
    document: read.document,
    operation,
    size: read.size,
    isKnown: known !== undefined,
  };
}

function readDocument(
  text: string,
  limits: Limits,
): { document: DocumentNode; size: DocumentSize } | InvalidOperation {
  const excess = textExcess(text, limits);
  if (excess !== null) return limitExceeded(apiError('QUERY_TOO_COMPLEX', excess));
  try {
    const document = parse(text);
    const size = measureDocument(document, limits);
    const tooMuch = limitErrors(size, limits);
    return tooMuch.length > 0
      ? limitExceeded(...tooMuch.map((sentence) => apiError('QUERY_TOO_COMPLEX', sentence)))
      : { document, size };
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return malformedOperation(withCode(error, 'GRAPHQL_PARSE_FAILED'));
  }
}

export const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    extensions: { code },
  });

const missingOperationMessage = (name: string | null | undefined): string =>
  name
    ? `The document has no operation ${JSON.stringify(name.slice(0, 100))}.`
    : 'Say in `operationName` which operation of the document is meant.';
