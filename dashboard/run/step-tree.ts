import type { StepShapeFragment } from '../generated/operations';
import { isolateDirection } from '../parts/format';
import type { StepResults } from './run-results';

export interface StepNode {
  readonly index: string;
  readonly kind: 'method' | 'if' | 'loop';
  readonly title: string;
  /** The called connector, the condition, or the list of a loop. */
  readonly detail: string | null;
  readonly shape: StepShapeFragment | null;
  readonly children: StepNode[];
}

/**
 * Value of the URL parameter for no open step. Needed only for failed runs, which otherwise open
 * the failed step.
 */
export const closedStepParameter = (failedAt: string | null): string | null =>
  failedAt === null ? null : 'none';

export const stepElementId = (index: string): string => `step-${index}`;

export const stepIdOf = ({ shape }: StepNode): string | null =>
  shape === null ? null : shape.__typename === 'OperatorStep' ? shape.operatorId : shape.methodId;

const parseIndex = (index: string): number[] => index.split('_').map(Number);

/** The number of a step for people: `2.1` for the index `1_0`. */
export const stepNumber = (index: string): string =>
  parseIndex(index)
    .map((part) => part + 1)
    .join('.');

function compareIndexes(one: string, other: string): number {
  const [left, right] = [parseIndex(one), parseIndex(other)];
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function nodeOf(shape: StepShapeFragment, at: number): StepNode {
  if (shape.__typename === 'OperatorStep') {
    const kind = shape.operatorType === 'LOOP' ? 'loop' : 'if';
    const title =
      kind === 'loop' ? `For each${shape.iterator === null ? '' : ` ${shape.iterator}`}` : 'If';
    return {
      index: shape.operatorIndex ?? `${at}`,
      kind,
      title,
      detail: shape.expression,
      shape,
      children: [],
    };
  }
  const { label, name, methodIndex, request, connector } = shape;
  const connectorTitle = connector?.connector?.title ?? connector?.title ?? null;
  const target = [request?.method, request?.endpoint].filter(Boolean).join(' ');
  return {
    index: methodIndex ?? `${at}`,
    kind: 'method',
    title: label ?? name ?? (target === '' ? 'Call' : target),
    detail:
      [connectorTitle === null ? null : isolateDirection(connectorTitle), target]
        .filter(Boolean)
        .join(' · ') || null,
    shape,
    children: [],
  };
}

/** For a run whose version was deleted: a step from its events. */
const nodeOfResults = ({ index, kind, name }: StepResults): StepNode => ({
  index,
  kind,
  title: name ?? { method: 'Call', if: 'If', loop: 'For each' }[kind],
  detail: null,
  shape: null,
  children: [],
});

function buildTree(nodes: readonly StepNode[]): StepNode[] {
  const roots: StepNode[] = [];
  const byIndex = new Map<string, StepNode>();
  for (const node of [...nodes].sort((one, other) => compareIndexes(one.index, other.index))) {
    byIndex.set(node.index, node);
    // Finds the nearest existing ancestor; those in between may be missing.
    const parts = node.index.split('_');
    let parent: StepNode | undefined;
    while (parent === undefined && parts.pop() !== undefined && parts.length > 0)
      parent = byIndex.get(parts.join('_'));
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

export const treeFromShapes = (steps: readonly StepShapeFragment[]): StepNode[] =>
  buildTree(steps.map(nodeOf));
export const treeFromResults = (steps: Iterable<StepResults>): StepNode[] =>
  buildTree([...steps].map(nodeOfResults));
