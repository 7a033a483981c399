import { createHash } from 'node:crypto';
import { getOperationAST, GraphQLError, NoSchemaIntrospectionCustomRule, parse, specifiedRules, validate } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { Limits } from '../../config/config';
import { DocumentCache } from './document-cache';
import { excesses, measure } from './document-limits';
import { doorError } from './error-format';
import { costOf } from './operation-cost';
import { SubscriptionRootRule } from './subscription-root-rule';
import { refusalOf } from './variables';
import type { Variables } from './variables';

/** Errors of one document, and of its variables, that are reported; the rest would only help whoever guesses. */
export const MAX_ERRORS = 10;

/** An operation as a client sent it. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null;
  readonly variables?: Variables | null;
}

/**
 * `malformed`: does not parse, is not valid, names no operation. `limit`: too much of something. The doors answer the two with
 * different statuses.
 */
export type CheckedOperation =
  | { readonly verdict: 'fit'; readonly document: DocumentNode; readonly operation: OperationDefinitionNode }
  | { readonly verdict: 'malformed' | 'limit'; readonly errors: readonly GraphQLError[] };

/** Introspection, and with it the names that suggestions would give away. */
export interface ValidationOptions {
  readonly introspection: boolean;
}

const caches = new WeakMap<GraphQLSchema, DocumentCache>();

/** The documents of a schema that were parsed and found valid: one cache for all doors. */
export function documentsOf(schema: GraphQLSchema): DocumentCache {
  const cache = caches.get(schema) ?? new DocumentCache();
  caches.set(schema, cache);
  return cache;
}

export const documentHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Everything that is checked before an operation runs, the same for every door: shape, limits, validity, cost. Never throws. */
export function validateOperation(schema: GraphQLSchema, request: OperationRequest, limits: Limits, options: ValidationOptions): CheckedOperation {
  const known = documentsOf(schema).get(documentHash(request.query));
  const checked = known ? { document: known } : readDocument(schema, request.query, limits, options);
  if ('verdict' in checked) return checked;
  const operation = getOperationAST(checked.document, request.operationName);
  if (!operation) return malformed(doorError('OPERATION_RESOLUTION_FAILURE', operationMissing(request.operationName)));
  return overLimit(schema, checked.document, operation, request.variables ?? {}, limits) ?? { verdict: 'fit', document: checked.document, operation };
}

type Refused = Exclude<CheckedOperation, { verdict: 'fit' }>;

const malformed = (...errors: GraphQLError[]): Refused => ({ verdict: 'malformed', errors });
const limit = (...errors: GraphQLError[]): Refused => ({ verdict: 'limit', errors });

function readDocument(schema: GraphQLSchema, text: string, limits: Limits, { introspection }: ValidationOptions): { document: DocumentNode } | Refused {
  const document = parseWithin(text, limits.tokens);
  if ('verdict' in document) return document;
  // Before the validation, whose cost grows with what is limited here.
  const size = measure(document, limits);
  const tooMuch = excesses(size, limits);
  if (tooMuch.length > 0) return limit(...tooMuch.map((sentence) => doorError('QUERY_TOO_COMPLEX', sentence)));
  const errors = validityErrors(schema, document, introspection);
  if (errors.length > 0) return malformed(...errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')));
  documentsOf(schema).set(documentHash(text), document, size.nodes);
  return { document };
}

function validityErrors(schema: GraphQLSchema, document: DocumentNode, introspection: boolean): readonly GraphQLError[] {
  const rules = [...specifiedRules, SubscriptionRootRule, ...(introspection ? [] : [NoSchemaIntrospectionCustomRule])];
  try {
    return validate(schema, document, rules, { maxErrors: MAX_ERRORS, hideSuggestions: !introspection });
  } catch (error) {
    // graphql-js throws where the root field of a subscription depends on a variable: its rule about that field evaluates what it cannot know.
    if (!(error instanceof GraphQLError)) throw error;
    const ours = validate(schema, document, [SubscriptionRootRule]);
    return ours.length > 0 ? ours : [error];
  }
}

function parseWithin(text: string, maxTokens: number): DocumentNode | Refused {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (/contains more that \d+ tokens/.test(error.message)) return limit(doorError('QUERY_TOO_COMPLEX', `The document has more than ${maxTokens} tokens.`));
    return malformed(withCode(error, 'GRAPHQL_PARSE_FAILED'));
  }
}

function overLimit(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode, variables: Variables, limits: Limits): Refused | null {
  const refusal = refusalOf(variables);
  if (refusal !== null) return limit(doorError('BAD_USER_INPUT', refusal));
  const { cost, badPages } = costOf(schema, document, operation, variables, limits.page);
  if (badPages.length > 0) return limit(doorError('BAD_USER_INPUT', `\`first\` and \`last\` are whole numbers from 1 to ${limits.page}.`, { nodes: badPages.slice(0, MAX_ERRORS) }));
  if (cost > limits.cost) return limit(doorError('QUERY_TOO_COMPLEX', `The operation may cost ${cost}; ${limits.cost} is allowed. Ask for fewer fields or smaller pages.`));
  return null;
}

const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, { nodes: error.nodes, source: error.source, positions: error.positions, extensions: { code } });

const operationMissing = (name: string | null | undefined): string =>
  (name ? `The document has no operation ${JSON.stringify(name.slice(0, 100))}.` : 'Say in `operationName` which operation of the document is meant.');
