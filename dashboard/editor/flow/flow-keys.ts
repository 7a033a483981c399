import { notify } from '../../parts/notices';
import type { FlowNode } from '../document';
import { stepTitle } from '../fields/references';
import { copyToClipboard, duplicateStep, pasteCopied } from './clipboard';
import type { FlowView } from './flow';
import { describePlace, placeAfterMove } from './moves';
import type { Direction } from './moves';
import { removeStep } from './remove-step';

const MOVES: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowRight: 'in',
  ArrowLeft: 'out',
};

export const report = (work: Promise<void>): void => {
  work.catch((error: unknown) =>
    notify(error instanceof Error ? error.message : String(error), { isError: true }),
  );
};

/** Moves a step and says where it is now. */
export function moveStep(view: FlowView, node: FlowNode, direction: Direction): void {
  const { session } = view;
  const place = placeAfterMove(node, direction, session);
  if (place === null) return;
  session.change({ kind: 'move', stepId: node.step.id, ...place });
  const moved = session.nodeOf(node.step.id);
  if (moved !== undefined)
    view.message.value = `${stepTitle(moved.step)} moved: ${describePlace(moved, session)}`;
}

/** Returns the step that a key without modifiers leads to. */
function neighbour(view: FlowView, node: FlowNode | null, key: string): FlowNode | undefined {
  const { session, collapsed } = view;
  const visible = session.nodes.value.filter((each) => {
    for (let parent = session.parentOf(each); parent !== null; parent = session.parentOf(parent))
      if (collapsed.value.has(parent.step.id)) return false;
    return true;
  });
  if (node === null) return visible[0];
  const at = visible.indexOf(node);
  switch (key) {
    case 'ArrowUp':
      return visible[at - 1];
    case 'ArrowDown':
      return visible[at + 1];
    case 'ArrowRight':
      return node.children[0];
    case 'ArrowLeft':
      return session.parentOf(node) ?? undefined;
    case 'Home':
      return visible[0];
    case 'End':
      return visible.at(-1);
    default:
      return undefined;
  }
}

/**
 * Returns the handler of keys in the flow: arrows select, with Alt they move; letters act on the
 * selected step.
 */
export function handleFlowKey(
  view: FlowView,
  container: () => HTMLElement | null,
): (event: KeyboardEvent) => void {
  const { session } = view;
  /** The step that gets the focus in the next frame: a quick next key is meant for it. */
  let nextFocus: string | null = null;
  const focus = (stepId: string): void => {
    session.selectedId.value = stepId;
    nextFocus = stepId;
    requestAnimationFrame(() => {
      container()?.querySelector<HTMLElement>(`[data-step="${CSS.escape(stepId)}"]`)?.focus();
      nextFocus = null;
    });
  };
  const act = (node: FlowNode, event: KeyboardEvent): boolean => {
    const { step, position } = node;
    const after = { parentId: step.parentId, position: position + 1 };
    if (event.altKey) {
      const direction = MOVES[event.key];
      if (direction === undefined) return false;
      moveStep(view, node, direction);
      focus(step.id);
      return true;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    switch (isCommand ? `Ctrl ${event.key.toLowerCase()}` : event.key.toLowerCase()) {
      case 'a':
        view.openPlus.value = after;
        return true;
      case 'd':
      case 'Ctrl d':
        report(duplicateStep(session, node));
        return true;
      case 'c':
      case 'Ctrl c':
        report(copyToClipboard(session, node));
        return true;
      case 'v':
      case 'Ctrl v':
        report(pasteCopied(session, after));
        return true;
      case 'delete':
      case 'backspace': {
        const next = neighbour(view, node, 'ArrowUp') ?? neighbour(view, node, 'ArrowDown');
        removeStep(session, node);
        if (next !== undefined) focus(next.step.id);
        return true;
      }
      case 'enter':
        view.open();
        return true;
      default:
        return false;
    }
  };
  return (event) => {
    const { step: focusedId } = (event.target as HTMLElement).dataset;
    if (focusedId === undefined) return;
    const node = session.nodeOf(nextFocus ?? focusedId) ?? null;
    const isPlain = !event.altKey && !event.ctrlKey && !event.metaKey;
    const next = isPlain ? neighbour(view, node, event.key) : undefined;
    if (next !== undefined) focus(next.step.id);
    else if (node === null || !act(node, event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
}
