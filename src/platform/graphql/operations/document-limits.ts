import { Kind } from 'graphql';
import type {
  ASTNode,
  DefinitionNode,
  DocumentNode,
  FragmentDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import type { Limits } from '../../../config/config';

/** A definition, and the names of the fragments that it spreads. */
type Spreads = readonly (readonly [DefinitionNode, readonly string[]])[];

/**
 * Counts the spreads of all operations after expansion, each as often as it is reached. Cycles end
 * where they close. The cost of validation and execution grows with this number, not with the size
 * of the text. A document with more than `most` spreads in its text is not expanded.
 */
function countSpreads(definitions: Spreads, most: number): number {
  const spreadsOf = new Map<string, readonly string[]>();
  const operations: (readonly string[])[] = [];
  for (const [definition, names] of definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(names);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) spreadsOf.set(definition.name.value, names);
  }
  const inItself = [...operations, ...spreadsOf.values()].reduce(
    (count, names) => count + names.length,
    0,
  );
  if (inItself > most) return inItself;
  const counts = new Map<string, number>();
  const writtenOut = (name: string): number => {
    const before = counts.get(name);
    if (before !== undefined) return before;
    counts.set(name, 0);
    const count = sum(spreadsOf.get(name) ?? []);
    counts.set(name, count);
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

/**
 * Maximum depth of introspection, counted separately: tools need 15 levels. A rule of graphql-js
 * rejects nested lists in it.
 */
const INTROSPECTION_DEPTH = 20;

/** What can be counted without the schema and the variables. */
export interface DocumentSize {
  readonly nodes: number;
  readonly aliases: number;
  readonly directives: number;
  readonly depth: number;
  readonly rootFields: number;
  /** Spreads after expansion. */
  readonly fragments: number;
  readonly values: number;
}

type DocumentLimits = Pick<Limits, 'depth' | 'aliases' | 'rootFields' | 'directives' | 'fragments'>;

/** Kinds of literal values; fields of an object are counted by their values. */
const VALUES: ReadonlySet<string> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.STRING,
  Kind.BOOLEAN,
  Kind.NULL,
  Kind.ENUM,
  Kind.LIST,
  Kind.OBJECT,
]);

/** What one pass over the nodes of a definition counts. */
class NodeCounter {
  nodes = 0;
  aliases = 0;
  directives = 0;
  values = 0;
  private spreads: string[] = [];

  /** Adds a definition, and returns the names of the fragments that it spreads. */
  addDefinition(definition: DefinitionNode): readonly string[] {
    this.spreads = [];
    this.add(definition, null);
    return this.spreads;
  }

  /**
   * Any client can cause this work, and `visit` of graphql-js takes several times as long. The
   * nesting of a document is limited before it is parsed.
   */
  private add(node: ASTNode, parent: ASTNode | null): void {
    this.nodes += 1;
    if (node.kind === Kind.DIRECTIVE) this.directives += 1;
    else if (node.kind === Kind.FIELD && node.alias) this.aliases += 1;
    else if (node.kind === Kind.FRAGMENT_SPREAD) this.spreads.push(node.name.value);
    else if (node.kind === Kind.SELECTION_SET && parent?.kind !== Kind.INLINE_FRAGMENT)
      this.aliases += countRepeated(node);
    else if (VALUES.has(node.kind)) this.values += 1;
    for (const key in node) {
      if (key === 'loc' || key === 'kind') continue;
      const child: unknown = node[key as keyof ASTNode];
      if (Array.isArray(child)) for (const each of child as ASTNode[]) this.add(each, node);
      else if (isNode(child)) this.add(child, node);
    }
  }
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === 'object' && value !== null && 'kind' in value;

/**
 * Measures a document that may be invalid: fragments are followed once each, cycles end where they
 * close.
 */
export function measureDocument(document: DocumentNode, limits: DocumentLimits): DocumentSize {
  const counter = new NodeCounter();
  const spreads = document.definitions.map(
    (definition) => [definition, counter.addDefinition(definition)] as const,
  );
  const counted = {
    nodes: 1 + counter.nodes,
    aliases: counter.aliases,
    directives: counter.directives,
    values: counter.values,
    fragments: countSpreads(spreads, limits.fragments),
  };
  if (counted.fragments > limits.fragments) return { ...counted, depth: 0, rootFields: 0 };
  const fragments = fragmentsOf(document);
  const depthOf = measureDepth(fragments, Math.max(0, INTROSPECTION_DEPTH - limits.depth));
  const rootFieldsOf = countFields(fragments);
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  return {
    ...counted,
    depth: Math.max(0, ...operations.map(({ selectionSet }) => depthOf(selectionSet))),
    rootFields: Math.max(0, ...operations.map(({ selectionSet }) => rootFieldsOf(selectionSet))),
  };
}

/** Returns a sentence for each limit that the document exceeds. */
export function limitErrors(size: DocumentSize, limits: DocumentLimits): string[] {
  const kinds: [number, number, string][] = [
    [size.depth, limits.depth, 'levels of fields'],
    [size.aliases, limits.aliases, 'aliases and repeated selections'],
    [size.rootFields, limits.rootFields, 'root fields'],
    [size.directives, limits.directives, 'directives'],
    [size.fragments, limits.fragments, 'fragments, each counted as often as it comes in'],
  ];
  return kinds.flatMap(([count, max, subject]) =>
    count > max ? [`The document has ${count} ${subject}; ${max} are allowed.`] : [],
  );
}

export function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  return new Map(
    document.definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Runs `work` once per fragment; a fragment that reaches itself counts as 0 there. */
function oncePerFragment(
  fragments: Fragments,
  work: (selectionSet: SelectionSetNode) => number,
): (name: string) => number {
  const results = new Map<string, number>();
  return (name) => {
    const before = results.get(name);
    if (before !== undefined) return before;
    results.set(name, 0);
    const fragment = fragments.get(name);
    const result = fragment ? work(fragment.selectionSet) : 0;
    results.set(name, result);
    return result;
  };
}

function measureDepth(
  fragments: Fragments,
  introspectionAllowance: number,
): (selectionSet: SelectionSetNode) => number {
  const ofFragment = oncePerFragment(fragments, depthOf);
  function depthOf(selectionSet: SelectionSetNode): number {
    let deepest = 0;
    for (const selection of selectionSet.selections)
      deepest = Math.max(deepest, depthOfSelection(selection));
    return deepest;
  }
  function depthOfSelection(selection: SelectionSetNode['selections'][number]): number {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value);
    if (selection.kind === Kind.INLINE_FRAGMENT) return depthOf(selection.selectionSet);
    const depth = 1 + (selection.selectionSet ? depthOf(selection.selectionSet) : 0);
    const { value } = selection.name;
    return value === '__schema' || value === '__type' ? depth - introspectionAllowance : depth;
  }
  return depthOf;
}

function countFields(fragments: Fragments): (selectionSet: SelectionSetNode) => number {
  const ofFragment = oncePerFragment(fragments, countIn);
  function countIn(selectionSet: SelectionSetNode): number {
    let count = 0;
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) count += 1;
      else
        count +=
          selection.kind === Kind.FRAGMENT_SPREAD
            ? ofFragment(selection.name.value)
            : countIn(selection.selectionSet);
    }
    return count;
  }
  return countIn;
}
