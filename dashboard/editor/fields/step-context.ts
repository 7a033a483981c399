import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FlowNode, MethodStep } from '../document';
import type { EditSession } from '../session';
import type { Samples } from '../data/samples';
import { findReferences } from './references';
import type { Loop } from './references';

/** The step that is edited, for its fields. */
export interface StepContextValue {
  readonly session: EditSession;
  readonly samples: Samples;
  readonly node: FlowNode;
}

export const StepContext = createContext<StepContextValue>(null as never);
export const useStepContext = (): StepContextValue => useContext(StepContext);

/** Letters that loops without a name use, by depth. */
const IMPLICIT_ITERATORS = 'ijklmnopqrstuvwxyz';

/** Returns the operators around a step, the outermost first. */
export function operatorsAround(node: FlowNode, session: EditSession): FlowNode[] {
  const parent = session.parentOf(node);
  return parent === null ? [] : [...operatorsAround(parent, session), parent];
}

/** Returns the loops around a step, the outermost first. */
export function loopsAround(node: FlowNode, session: EditSession): Loop[] {
  const loops: Loop[] = [];
  for (const { step } of operatorsAround(node, session)) {
    if (step.kind !== 'operator' || step.type !== 'LOOP') continue;
    const [list] = findReferences(step.expression);
    loops.push({
      iterator: step.iterator?.trim() || (IMPLICIT_ITERATORS[loops.length] ?? 'i'),
      color: list?.color ?? null,
      path: list?.path ?? '',
    });
  }
  return loops;
}

/** Returns the calls before a step, the nearest first. */
export function callsBefore(node: FlowNode, nodes: readonly FlowNode[]): MethodStep[] {
  const at = nodes.findIndex(({ step }) => step.id === node.step.id);
  return nodes
    .slice(0, Math.max(at, 0))
    .flatMap(({ step }) => (step.kind === 'method' ? [step] : []))
    .reverse();
}
