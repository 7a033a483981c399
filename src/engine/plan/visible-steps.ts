import { printExpression } from '../expression/tree';
import type { WorkflowSnapshot } from '../snapshot';
import { planSteps } from './build';
import type { LoopNode, MethodNode, PlanNode } from './plan';
import { titleOf } from './step-name';

/** Whether a step has a response for the step that refers to it, with descriptions. */
export const AVAILABILITIES = {
  ALWAYS: 'It is always called before.',
  CONDITIONAL:
    'It is inside a condition that the referring step is not inside: without a call, references to it are null.',
  SAME_POSITION:
    'It is inside another loop: references mean its response in the iteration at the same position.',
} as const;

/** A loop around a step. */
export interface SurroundingLoop {
  readonly stepId: string;
  readonly iterator: string;
  /** The list as a reference; null if it is computed. */
  readonly list: string | null;
}

/** A method that another step may refer to. */
export interface VisibleStep {
  readonly stepId: string;
  /** Label or operation; its number if it has neither. */
  readonly name: string;
  readonly color: string;
  /** Position for users: `2.1` is the first step inside the second one. */
  readonly number: string;
  readonly availability: keyof typeof AVAILABILITIES;
  /** Variables of the loops around the referring step that iterate over its data. */
  readonly iterators: readonly string[];
  /** The loops around the referring step, outermost first. */
  readonly loops: readonly SurroundingLoop[];
}

interface PlacedNode {
  readonly node: PlanNode;
  readonly number: string;
  /** Operators around it, outermost first. */
  readonly parents: readonly PlanNode[];
}

/**
 * Returns the methods whose responses a step sees, in execution order: earlier ones, unless they
 * are in more loops. Null if there is no such step.
 */
export function stepsVisibleFrom(snapshot: WorkflowSnapshot, stepId: string): VisibleStep[] | null {
  const placed = placedNodes(planSteps(snapshot, null).roots);
  const at = placed.findIndex(({ node }) => node.stepId === stepId);
  const reader = placed[at];
  if (reader === undefined) return null;
  const loops = reader.node.loops.map(surroundingLoop);
  return placed.slice(0, at).flatMap(({ node, number, parents }): VisibleStep[] => {
    if (node.kind !== 'method' || !node.enabled || node.color === null || node.stepId === null)
      return [];
    if (node.loops.length > reader.node.loops.length) return [];
    return [
      {
        stepId: node.stepId,
        name: titleOf(node) ?? number,
        color: node.color,
        number,
        availability: availabilityOf(node, parents, reader),
        iterators: reader.node.loops
          .filter((loop) => readsColor(loop, node.color))
          .map(({ iterator }) => iterator),
        loops,
      },
    ];
  });
}

function placedNodes(roots: readonly PlanNode[]): PlacedNode[] {
  const placed: PlacedNode[] = [];
  const add = (nodes: readonly PlanNode[], prefix: string, parents: readonly PlanNode[]): void => {
    for (const [position, node] of nodes.entries()) {
      const number = `${prefix}${position + 1}`;
      placed.push({ node, number, parents });
      if (node.kind !== 'method') add(node.children, `${number}.`, [...parents, node]);
    }
  };
  add(roots, '', []);
  return placed;
}

function availabilityOf(
  method: MethodNode,
  parents: readonly PlanNode[],
  reader: PlacedNode,
): VisibleStep['availability'] {
  const isShared = (parent: PlanNode): boolean => reader.parents.includes(parent);
  if (!method.loops.every(isShared)) return 'SAME_POSITION';
  return parents.every(isShared) ? 'ALWAYS' : 'CONDITIONAL';
}

const referenceOf = ({ loop }: LoopNode) =>
  loop?.over.kind === 'reference' ? loop.over.reference : null;

const readsColor = (loop: LoopNode, color: string | null): boolean =>
  referenceOf(loop)?.color === color;

function surroundingLoop(node: LoopNode): SurroundingLoop {
  const reference = referenceOf(node);
  return {
    stepId: node.stepId ?? '',
    iterator: node.iterator,
    list: reference && printExpression({ kind: 'reference', reference }),
  };
}
