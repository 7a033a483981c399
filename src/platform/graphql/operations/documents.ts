import { hash as digest } from 'node:crypto';
import { getOperationAST, GraphQLError, Lexer, parse, Source, TokenKind } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Limits } from '../../../config/config';
import { limitErrors, measureDocument } from './document-limits';
import type { DocumentSize } from './document-limits';
import { apiError } from './error-format';
import type { Variables } from './variables-size';

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

/** An operation as a client sent it. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Variables | null;
  /** The parsed text, if it was parsed before. */
  readonly document?: DocumentNode;
  /** Whether the client will send the hash in place of the text. */
  readonly isPersisted?: boolean;
}

/** A document within its limits, and the operation to run. */
export interface ReadOperation {
  readonly verdict: 'read';
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly size: DocumentSize;
  /** Whether the document is known to be valid. */
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

/** Limits of the kept documents. A node of a parsed document takes about `NODE_BYTES`. */
const KEPT_OF_USERS = { documents: 1_000, nodes: 200_000 } as const;
const KEPT_OF_OTHERS = { documents: 100, nodes: 20_000 } as const;
const NODE_BYTES = 300;

/** A parsed document and its size. */
interface MeasuredDocument {
  readonly document: DocumentNode;
  readonly size: DocumentSize;
}

type ValidDocument = MeasuredDocument & { readonly text: string; readonly hash: string };

/**
 * Valid documents of a schema by their text; the least recently used are dropped. Documents of clients
 * without a session are kept apart, so that they cannot replace those of users.
 */
export class Documents {
  private readonly byHash = new Map<string, ValidDocument>();
  private readonly ofUsers = this.createCache(KEPT_OF_USERS);
  private readonly ofOthers = this.createCache(KEPT_OF_OTHERS);

  constructor(private readonly limits: Limits) {}

  /**
   * Keeps a valid document from its second use on, persisted ones at once, unless it is larger than
   * all that may be kept: clients that write values into their documents send each only once.
   */
  add(
    { query: text, isPersisted }: OperationRequest,
    { document, size }: MeasuredDocument,
    isOfUser: boolean,
  ): void {
    const hash = digest('sha256', text);
    const { documents, usedOnce } = isOfUser ? this.ofUsers : this.ofOthers;
    if (!isPersisted && !usedOnce.has(hash)) {
      usedOnce.set(hash, true);
      return;
    }
    documents.set(text, { document, size, text, hash });
    const valid = documents.peek(text);
    if (valid) this.byHash.set(hash, valid);
  }

  /** Returns a valid document by the SHA-256 of its text, in hexadecimal. */
  withHash(hash: string): ValidDocument | undefined {
    return this.byHash.get(hash);
  }

  /** Returns which limit the text exceeds, as a sentence, or null if it may be parsed. */
  excessOf(text: string): string | null {
    return this.ofUsers.documents.has(text) || this.ofOthers.documents.has(text)
      ? null
      : textExcess(text, this.limits);
  }

  /**
   * Parses and measures a document, in time that grows with its length. Runs before the session is
   * read, so any client can cause this work. Never throws.
   */
  read({ query, operationName, document }: OperationRequest): ReadOperation | InvalidOperation {
    const valid = this.ofUsers.documents.get(query) ?? this.ofOthers.documents.get(query);
    const measured = valid ?? (document ? this.measure(document) : this.parse(query));
    if ('verdict' in measured) return measured;
    const operation = getOperationAST(measured.document, operationName);
    if (!operation)
      return malformedOperation(
        apiError('OPERATION_RESOLUTION_FAILURE', missingOperationMessage(operationName)),
      );
    return {
      verdict: 'read',
      document: measured.document,
      operation,
      size: measured.size,
      isKnown: valid !== undefined,
    };
  }

  private createCache(most: { readonly documents: number; readonly nodes: number }) {
    return {
      documents: new LRUCache<string, ValidDocument>({
        max: most.documents,
        maxSize: most.nodes,
        sizeCalculation: ({ size, text }) => size.nodes + Math.ceil(text.length / NODE_BYTES),
        dispose: ({ hash }) => this.byHash.delete(hash),
      }),
      /** Hashes of the texts that were used last. */
      usedOnce: new LRUCache<string, true>({ max: most.documents }),
    };
  }

  private parse(text: string): MeasuredDocument | InvalidOperation {
    const excess = textExcess(text, this.limits);
    if (excess !== null) return limitExceeded(apiError('QUERY_TOO_COMPLEX', excess));
    try {
      return this.measure(parse(text));
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return malformedOperation(withCode(error, 'GRAPHQL_PARSE_FAILED'));
    }
  }

  private measure(document: DocumentNode): MeasuredDocument | InvalidOperation {
    const size = measureDocument(document, this.limits);
    const excesses = limitErrors(size, this.limits);
    return excesses.length > 0
      ? limitExceeded(...excesses.map((sentence) => apiError('QUERY_TOO_COMPLEX', sentence)))
      : { document, size };
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
