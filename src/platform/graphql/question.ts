import { createHash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Origin } from '../context';
import type { OperationRequest } from './read-operation';

/** What is asked, and under which address links are made: whoever asks the same as the same person gets the same. */
export const questionOf = (
  { query, operationName, variables }: OperationRequest,
  { baseUrl }: Origin,
): string =>
  createHash('sha256')
    .update(JSON.stringify([query, operationName, variables, baseUrl]))
    .digest('base64');

const known = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/**
 * The same for the results of one event of a source that many share, where only the choice of the source and the place in it depended on the arguments
 * of the root field: who begins after another event asks the same of this one.
 */
export function questionOfEvents(
  request: OperationRequest,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  origin: Origin,
): string {
  const names = known.get(operation) ?? variablesBelowRoot(document, operation);
  known.set(operation, names);
  return questionOf(
    {
      ...request,
      variables: Object.fromEntries(
        Object.entries(request.variables ?? {}).filter(([name]) => names.has(name)),
      ),
    },
    origin,
  );
}

/** Variables that something else than an argument of a root field mentions. */
function variablesBelowRoot(
  document: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): ReadonlySet<string> {
  const names = new Set<string>();
  const ofRoot = new Set<unknown>(
    selectionSet.selections.flatMap((node) =>
      node.kind === Kind.FIELD ? (node.arguments ?? []) : [],
    ),
  );
  visit(document, {
    VariableDefinition: () => false,
    Argument: (node) => (ofRoot.has(node) ? false : undefined),
    Variable: ({ name }) => void names.add(name.value),
  });
  return names;
}
