import { Kind, visit } from 'graphql';
import type { DocumentNode, ExecutableDefinitionNode, SelectionSetNode } from 'graphql';

/**
 * Counts the spreads of all operations after expansion, each as often as it is reached. One pass
 * over the document; cycles end where they close. The cost of validation and execution grows with
 * this number, not with the size of the text. A document with more than `most` spreads in its text
 * is not expanded.
 */
export function countSpreads(document: DocumentNode, most: number): number {
  const spreadsOf = new Map<string, readonly string[]>();
  const operations: (readonly string[])[] = [];
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(namesIn(definition));
    if (definition.kind === Kind.FRAGMENT_DEFINITION)
      spreadsOf.set(definition.name.value, namesIn(definition));
  }
  const inItself = [...operations, ...spreadsOf.values()].reduce(
    (count, names) => count + names.length,
    0,
  );
  if (inItself > most) return inItself;
  const known = new Map<string, number>();
  const writtenOut = (name: string): number => {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, 0);
    const count = sum(spreadsOf.get(name) ?? []);
    known.set(name, count);
    return count;
  };
  const sum = (names: readonly string[]): number => {
    let count = 0;
    for (const name of names) count += 1 + writtenOut(name);
    return count;
  };
  let total = 0;
  for (const names of operations) total += sum(names);
  return total;
}

function namesIn(definition: ExecutableDefinitionNode): readonly string[] {
  const names: string[] = [];
  visit(definition, { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

/**
 * Counts the fields with selections whose name occurs earlier in the same selection set, inline
 * fragments included: validation compares them pairwise. A field without a selection is compared
 * once and costs nothing.
 */
export function countRepeated({ selections }: SelectionSetNode): number {
  const seen = new Set<string>();
  let repeated = 0;
  const look = (selection: SelectionSetNode['selections'][number]): void => {
    if (selection.kind === Kind.INLINE_FRAGMENT) selection.selectionSet.selections.forEach(look);
    if (selection.kind !== Kind.FIELD || !selection.selectionSet) return;
    const name = selection.alias?.value ?? selection.name.value;
    if (seen.has(name)) repeated += 1;
    seen.add(name);
  };
  selections.forEach(look);
  return repeated;
}
