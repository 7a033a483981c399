import { createHash } from 'node:crypto';
import { Kind, visit } from 'graphql';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Origin } from '../context';
import type { OperationRequest } from './read-operation';

/** Returns the operation key: requests of the same user with the same key have the same answer. */
export const questionOf = (
  { query, operationName, variables }: OperationRequest,
  { baseUrl }: Origin,
): string =>
  createHash('sha256')
    .update(JSON.stringify([query, operationName, variables, baseUrl]))
    .digest('base64');

const known = new WeakMap<OperationDefinitionNode, ReadonlySet<string>>();

/**
 * Returns the operation key for one event of a shared source. The arguments of the root field only
 * select the source and the place in it, so their variables do not count: subscribers that started
 * at different events share a key.
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

/** Returns the variables that are used anywhere but in arguments of root fields. */
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
