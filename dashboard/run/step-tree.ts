import type { StepShapeFragment } from '../generated/operations';
import { isolated } from '../parts/format';
import type { StepFacts } from './run-facts';

export interface StepNode {
  readonly index: string;
  readonly kind: 'method' | 'if' | 'loop';
  readonly title: string;
  /** The called connector, the condition, or the list of a loop. */
  readonly about: string | null;
  readonly shape: StepShapeFragment | null;
  readonly children: StepNode[];
}

/**
 * Value of the URL parameter for no open step. Needed only for failed runs, which otherwise open
 * the failed step.
 */
export const closedStep = (failedAt: string | null): string | null =>
  failedAt === null ? null : 'none';

export const rowOf = (index: string): string => `step-${index}`;

const numbers = (index: string): number[] => index.split('_').map(Number);

function compare(one: string, other: string): number {
  const [left, right] = [numbers(one), numbers(other)];
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
      about: shape.expression,
      shape,
      children: [],
    };
  }
  const { label, name, methodIndex, request, connector } = shape;
  const called = connector?.connector?.title ?? connector?.title ?? null;
  const sent = [request?.method, request?.endpoint].filter(Boolean).join(' ');
  return {
    index: methodIndex ?? `${at}`,
    kind: 'method',
    title: label ?? name ?? (sent === '' ? 'Call' : sent),
    about: [called === null ? null : isolated(called), sent].filter(Boolean).join(' · ') || null,
    shape,
    children: [],
  };
}

/** For a run whose version was deleted: a step from its events. */
const nodeOfFacts = ({ index, kind, name }: StepFacts): StepNode => ({
  index,
  kind,
  title: name ?? { method: 'Call', if: 'If', loop: 'For each' }[kind],
  about: null,
  shape: null,
  children: [],
});

function nested(nodes: readonly StepNode[]): StepNode[] {
  const roots: StepNode[] = [];
  const byIndex = new Map<string, StepNode>();
  for (const node of [...nodes].sort((one, other) => compare(one.index, other.index))) {
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

export const treeOfShapes = (steps: readonly StepShapeFragment[]): StepNode[] =>
  nested(steps.map(nodeOf));
export const treeOfFacts = (steps: Iterable<StepFacts>): StepNode[] =>
  nested([...steps].map(nodeOfFacts));
