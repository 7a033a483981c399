import { GraphQLError, Kind, OperationTypeNode } from 'graphql';
import type { ASTVisitor, SelectionNode, SelectionSetNode, ValidationContext } from 'graphql';

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * A subscription has exactly one root field, so a variable cannot take it away: a rule of GraphQL since September 2025 that graphql-js
 * 16 has not, and without which it fails on what is left.
 */
export function SubscriptionRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const nodes = conditionalSelections(context, selectionSet, new Set());
      if (nodes.length > 0) context.reportError(new GraphQLError('The root field of a subscription takes neither @skip nor @include.', { nodes }));
    },
  };
}

/** What stands at the root under a condition, fragments followed once each. */
function conditionalSelections(context: ValidationContext, { selections }: SelectionSetNode, seen: Set<string>): SelectionNode[] {
  return selections.flatMap((selection) => {
    const own = selection.directives?.some(({ name }) => CONDITIONS.has(name.value)) ? [selection] : [];
    if (selection.kind === Kind.INLINE_FRAGMENT) return [...own, ...conditionalSelections(context, selection.selectionSet, seen)];
    if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) return own;
    seen.add(selection.name.value);
    const fragment = context.getFragment(selection.name.value);
    return fragment ? [...own, ...conditionalSelections(context, fragment.selectionSet, seen)] : own;
  });
}
