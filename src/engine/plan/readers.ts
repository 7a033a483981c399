import { childrenOf } from '../expression/tree';
import type { Expression } from '../expression/tree';
import type { Reference, Segment } from '../reference/reference';
import { requestSources } from '../request/request';
import type { Source } from '../text/template';
import { boundColors } from './bindings';
import type { LoopNode, MethodNode, PlanNode } from './plan';
import type { ProblemReport } from './problems';

/** Parts that a workflow reads only when it wants to deal with failure itself. */
const FAILURE_PARTS = new Set<Reference['part']>(['fail', 'status', 'header']);

/**
 * Decides for every method how long its answer is remembered and whether a failure is a value. When all readers stand in the same
 * turns as the method, only the current turn is kept: a loop of 100,000 turns then holds one answer, not 100,000.
 */
export function markReaders(nodes: readonly PlanNode[], bindings: readonly unknown[]): void {
  const methods = new Map(nodes.filter((node) => node.kind === 'method').map((node) => [node.color, node]));
  for (const reader of nodes) {
    for (const reference of referencesOf(reader)) {
      const method = methods.get(reference.color);
      if (method === undefined) continue;
      if (FAILURE_PARTS.has(reference.part) && reader.position > method.position) method.statusIsValue = true;
      if (method.keep !== 'ALL') method.keep = sharesTurns(reader, method) ? 'TURN' : 'ALL';
    }
  }
  for (const color of boundColors(bindings)) {
    const method = methods.get(color);
    if (method !== undefined && method.keep === 'NONE') method.keep = 'TURN';
  }
}

/** Reports references to colours nobody has and to loop variables that do not run there. */
export function checkReferences(nodes: readonly PlanNode[], reports: readonly ProblemReport[]): void {
  const colors = new Set(nodes.map((node) => (node.kind === 'method' ? node.color : null)));
  for (const node of nodes) {
    const report = reports[node.position];
    const unknown = new Set(referencesOf(node).map((reference) => reference.color).filter((color) => !colors.has(color)));
    for (const color of unknown) report.add('REFERENCE_COLOR_UNKNOWN', `No method has the colour ${color}.`);
    const inScope = new Set(node.loops.map((loop) => loop.iterator));
    const missing = new Set(iteratorsOf(node).filter((iterator) => !inScope.has(iterator)));
    for (const iterator of missing) report.add('ITERATOR_UNKNOWN', `No loop around index ${node.index} has the loop variable "${iterator}".`);
  }
}

/** True when the reader stands inside all loops of the method. */
function sharesTurns(reader: PlanNode, method: MethodNode): boolean {
  return method.loops.every((loop: LoopNode, depth) => reader.loops[depth] === loop);
}

function referencesOf(node: PlanNode): Reference[] {
  const inText = sources(node).filter((source) => source.kind === 'reference').map((source) => source.reference);
  const inExpressions = expressions(node).filter((expression) => expression.kind === 'reference').map((expression) => expression.reference);
  return [...inText, ...inExpressions];
}

function iteratorsOf(node: PlanNode): string[] {
  const direct = expressions(node).filter((expression) => expression.kind === 'iterator').map((expression) => expression.name);
  const parameters = [
    ...sources(node).filter((source) => source.kind === 'webhook').map((source) => source.parameter.segments),
    ...expressions(node).filter((expression) => expression.kind === 'webhook').map((expression) => expression.parameter.segments),
  ];
  const segments: Segment[] = [...referencesOf(node).map((reference) => reference.segments), ...parameters].flat();
  return [...direct, ...segments.filter((segment) => segment.kind === 'turn').map((segment) => segment.iterator)];
}

function sources(node: PlanNode): Source[] {
  return node.kind === 'method' && node.request !== null ? requestSources(node.request) : [];
}

/** All expressions of an operator, the nested ones too. */
function expressions(node: PlanNode): Expression[] {
  return roots(node).flatMap(withNested);
}

function roots(node: PlanNode): Expression[] {
  if (node.kind === 'if') return node.expression === null ? [] : [node.expression];
  if (node.kind !== 'loop' || node.loop === null) return [];
  return node.loop.kind === 'SplitString' ? [node.loop.over, node.loop.delimiter] : [node.loop.over];
}

function withNested(expression: Expression): Expression[] {
  return [expression, ...childrenOf(expression).flatMap(withNested)];
}
