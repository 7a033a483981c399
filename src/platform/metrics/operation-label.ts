import { Kind } from 'graphql';
import type { OperationDefinitionNode } from 'graphql';
import { OTHER_OPERATION } from './metrics';

/**
 * Returns `query workflows`: the root field of a valid operation, so that there are no more labels
 * than root fields. Names that clients choose would be unbounded. Operations with several root
 * fields are `query other`.
 */
export function operationLabel({ operation, selectionSet }: OperationDefinitionNode): string {
  const [first, ...more] = selectionSet.selections;
  return first?.kind === Kind.FIELD && more.length === 0
    ? `${operation} ${first.name.value}`
    : `${operation} ${OTHER_OPERATION}`;
}
