import { childrenOf } from '../expression/tree';
import type { Expression } from '../expression/tree';
import { printReference } from '../reference/reference';
import type { Reference, Segment } from '../reference/reference';
import { sourcesByField } from '../request/request';
import type { Source } from '../text/template';
import { boundColors } from './bindings';
import type { LoopNode, MethodNode, PlanNode, ReadReference } from './plan';
import type { ProblemReport } from './problems';

/** Parts whose use means that the workflow handles failures itself. */
const FAILURE_PARTS = new Set<Reference['part']>(['fail', 'status', 'header']);

/**
 * Decides for each method how long its response is kept and whether a failure is a value. If all
 * readers are within the same loops as the method, only the current response is kept: one instead
 * of 100,000 for a loop of that length.
 */
export function markReaders(
  nodes: readonly PlanNode[],
  uses: readonly NodeUses[],
  bindings: readonly unknown[],
): void {
  const methods = new Map(
    nodes.filter((node) => node.kind === 'method').map((node) => [node.color, node]),
  );
  for (const reader of nodes) {
    if (!reader.enabled) continue;
    for (const reference of uses[reader.position].flatMap(({ references }) => references)) {
      const method = methods.get(reference.color);
      if (method === undefined) continue;
      if (FAILURE_PARTS.has(reference.part) && reader.position > method.position)
        method.statusIsValue = true;
      if (reference.part !== 'request' && reference.segments.length > 0) method.readsFields = true;
      if (method.keep !== 'ALL') method.keep = sharesTurns(reader, method) ? 'TURN' : 'ALL';
    }
  }
  for (const color of boundColors(bindings)) {
    const method = methods.get(color);
    if (method !== undefined && method.keep === 'NONE') method.keep = 'TURN';
  }
}

/** Reports references to unknown colours and to loop variables that are out of scope. */
export function checkReferences(
  nodes: readonly PlanNode[],
  uses: readonly NodeUses[],
  reports: readonly ProblemReport[],
): void {
  const colors = new Set(nodes.map((node) => (node.kind === 'method' ? node.color : null)));
  for (const node of nodes) {
    const report = reports[node.position];
    const inScope = new Set(node.loops.map((loop) => loop.iterator));
    for (const { field, references, iterators } of uses[node.position]) {
      const unknown = new Set(
        references.map((reference) => reference.color).filter((color) => !colors.has(color)),
      );
      for (const color of unknown)
        report.add('REFERENCE_COLOR_UNKNOWN', field, `No method has the colour ${color}.`);
      const missing = new Set(iterators.filter((iterator) => !inScope.has(iterator)));
      for (const iterator of missing)
        report.add(
          'ITERATOR_UNKNOWN',
          field,
          `No loop around index ${node.index} has the loop variable "${iterator}".`,
        );
    }
  }
}

/** Returns the references of the steps, for checks against what operations declare. */
export function readsOf(nodes: readonly PlanNode[], uses: readonly NodeUses[]): ReadReference[] {
  const reads: ReadReference[] = [];
  for (const { stepId, index, position } of nodes) {
    for (const { field, references } of uses[position])
      for (const reference of references)
        reads.push({
          step: { stepId, index },
          field,
          reference: {
            color: reference.color,
            part: reference.part,
            names: reference.segments.flatMap(nameInPath),
            path: printReference(reference),
          },
        });
  }
  return reads;
}

const nameInPath = (segment: Segment): (string | null)[] => {
  switch (segment.kind) {
    case 'field':
      return [segment.name];
    case 'key':
      return [null];
    case 'element':
    case 'turn':
    case 'all':
      return segment.label ? [null] : [];
  }
};

/** Returns whether the reader is inside all loops of the method. */
function sharesTurns(reader: PlanNode, method: MethodNode): boolean {
  return method.loops.every((loop: LoopNode, depth) => reader.loops[depth] === loop);
}

/** References of one field of a node. */
interface Uses {
  readonly field: string;
  readonly references: Reference[];
  /** Names of loop variables, as values or in paths. */
  readonly iterators: string[];
}

/** Uses of one node, without fields that have none. */
type NodeUses = readonly Uses[];

/** Returns the uses of each node by its position. */
export function usesOf(nodes: readonly PlanNode[]): NodeUses[] {
  return nodes.map((node) =>
    sourcesOf(node)
      .filter(([, sources]) => sources.length > 0)
      .map(([field, sources]) => collect(field, sources)),
  );
}

function collect(field: string, sources: readonly (Source | Expression)[]): Uses {
  const references: Reference[] = [];
  const iterators: string[] = [];
  const paths: (readonly Segment[])[] = [];
  for (const source of sources) {
    if (source.kind === 'reference') references.push(source.reference);
    else if (source.kind === 'webhook') paths.push(source.parameter.segments);
    else if (source.kind === 'iterator') iterators.push(source.name);
  }
  for (const segment of [...paths, ...references.map((reference) => reference.segments)].flat()) {
    if (segment.kind === 'turn') iterators.push(segment.iterator);
  }
  return { field, references, iterators };
}

/** Sources of a request, or all nested expressions of an operator, by field. */
function sourcesOf(
  node: PlanNode,
): (readonly [field: string, sources: readonly (Source | Expression)[]])[] {
  if (node.kind === 'method') {
    const ofScripts = node.scripts.map(
      ({ place, variables }) => [place, variables.map(({ source }) => source)] as const,
    );
    return node.request === null ? [] : [...sourcesByField(node.request), ...ofScripts];
  }
  if (node.kind === 'if')
    return node.expression === null ? [] : [['expression', withNested(node.expression)]];
  if (node.loop === null) return [];
  const over = withNested(node.loop.over);
  return [
    [
      'expression',
      node.loop.kind === 'SplitString' ? [...over, ...withNested(node.loop.delimiter)] : over,
    ],
  ];
}

function withNested(expression: Expression): Expression[] {
  return [expression, ...childrenOf(expression).flatMap(withNested)];
}
