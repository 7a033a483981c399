import type { FlowNode, Place } from '../document';
import type { EditSession } from '../session';

const siblingsOf = (node: FlowNode, session: EditSession): readonly FlowNode[] =>
  session.parentOf(node)?.children ?? session.flow.value;

/** A move of a step among its neighbours, as keys and buttons ask for it. */
export type Direction = 'up' | 'down' | 'in' | 'out';

/**
 * Returns where a step moves, or null if it cannot: up and down among its neighbours and out of a
 * frame at its ends; into the frame before it; out of the frame around it.
 */
export function placeAfterMove(
  node: FlowNode,
  direction: Direction,
  session: EditSession,
): Place | null {
  const { position } = node;
  const { parentId } = node.step;
  const siblings = siblingsOf(node, session);
  const parent = session.parentOf(node);
  const outside = (offset: number): Place | null =>
    parent && { parentId: parent.step.parentId, position: parent.position + offset };
  switch (direction) {
    case 'up':
      return position === 0 ? outside(0) : { parentId, position: position - 1 };
    case 'down':
      return position === siblings.length - 1 ? outside(1) : { parentId, position: position + 1 };
    case 'out':
      return outside(1);
    case 'in': {
      const before = siblings[position - 1];
      return before?.step.kind === 'operator'
        ? { parentId: before.step.id, position: before.children.length }
        : null;
    }
  }
}

const isInside = (node: FlowNode | null, outer: FlowNode, session: EditSession): boolean =>
  node !== null && (node === outer || isInside(session.parentOf(node), outer, session));

/**
 * Returns the place of a step that is dropped between two others, counted without the step itself;
 * null if it would be inside itself, or stay where it is.
 * @param slot the place before it is moved
 */
export function placeAfterDrop(node: FlowNode, slot: Place, session: EditSession): Place | null {
  if (isInside(session.nodeOf(slot.parentId) ?? null, node, session)) return null;
  const isSameList = slot.parentId === node.step.parentId;
  const position = isSameList && slot.position > node.position ? slot.position - 1 : slot.position;
  return isSameList && position === node.position ? null : { ...slot, position };
}

/** Describes a place for screen readers: `in For each, 1 of 2`. */
export function describePlace(node: FlowNode, session: EditSession): string {
  const parent = session.parentOf(node);
  const around = parent === null ? 'in the workflow' : `in step ${parent.number}`;
  return `${around}, ${node.position + 1} of ${siblingsOf(node, session).length}`;
}
