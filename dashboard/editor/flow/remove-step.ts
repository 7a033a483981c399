import { notify } from '../../parts/notices';
import { stepsInside } from '../document';
import type { FlowNode, Step } from '../document';
import { stepTitle } from '../fields/references';
import type { EditSession } from '../session';

/** Returns the texts of a step that may refer to other steps. */
function textsOf(step: Step): string {
  return step.kind === 'operator' ? step.expression : JSON.stringify(step.request ?? '');
}

/** Returns the steps that refer to a step or to a step in it, without those in it. */
export function stepsThatReferTo(session: EditSession, node: FlowNode): FlowNode[] {
  const { steps, bindings } = session.document.value;
  const removed = stepsInside(steps, node.step.id);
  const colors = new Set(
    removed.flatMap((step) =>
      step.kind === 'method' && step.color ? [step.color.toUpperCase()] : [],
    ),
  );
  const isRemoved = (color: string | null): boolean =>
    color !== null && colors.has(color.toUpperCase());
  const targets = new Set(
    bindings
      .filter(({ from }) => from.some(({ color }) => isRemoved(color)))
      .flatMap(({ to }) => to.map(({ color }) => color?.toUpperCase())),
  );
  return session.nodes.value.filter(
    ({ step }) =>
      !removed.includes(step) &&
      (textsOf(step)
        .match(/#[0-9A-Fa-f]{6}(?=\.\()/g)
        ?.some(isRemoved) ||
        (step.kind === 'method' && step.color !== null && targets.has(step.color.toUpperCase()))),
  );
}

/** Removes a step, after a question if others refer to it. */
export function removeStep(session: EditSession, node: FlowNode): void {
  const users = stepsThatReferTo(session, node);
  if (users.length > 0) {
    session.removal.value = { node, users };
    return;
  }
  removeNow(session, node);
}

/** Removes a step, and offers to undo it. */
export function removeNow(session: EditSession, node: FlowNode): void {
  session.removal.value = null;
  session.change({ kind: 'remove', stepId: node.step.id });
  if (session.selectedId.value === node.step.id) session.selectedId.value = null;
  notify(`Removed ${stepTitle(node.step)}.`, {
    action: { text: 'Undo', run: () => void session.undo() },
  });
}
