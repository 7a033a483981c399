import { request } from '../../api/request';
import { StepCopyDocument } from '../../generated/operations';
import { notify } from '../../parts/notices';
import { isUnsavedId } from '../document';
import type { FlowNode, Place } from '../document';
import type { EditSession } from '../session';

/** Marks the text of copied steps on the clipboard. */
const FORMAT = 'hypha-steps';

async function copyOf(session: EditSession, { step }: FlowNode): Promise<unknown> {
  await session.settled();
  if (isUnsavedId(step.id)) throw new Error('This step is not saved yet.');
  const { workflow } = await request(StepCopyDocument, { id: session.id, stepId: step.id });
  return workflow?.stepCopy;
}

/** Copies a step with everything in it to the clipboard, as JSON. */
export async function copyToClipboard(session: EditSession, node: FlowNode): Promise<void> {
  const content = await copyOf(session, node);
  await navigator.clipboard.writeText(JSON.stringify({ format: FORMAT, content }, null, 2));
  notify('Copied. Paste it here or in another workflow.');
}

/** Adds copied steps of the clipboard. @throws Error the clipboard has none */
export async function pasteCopied(session: EditSession, place: Place): Promise<void> {
  const text = await navigator.clipboard.readText();
  let copied: unknown;
  try {
    copied = JSON.parse(text);
  } catch {
    copied = null;
  }
  const { format, content } = (copied ?? {}) as { format?: unknown; content?: unknown };
  if (format !== FORMAT) throw new Error('The clipboard contains no copied steps.');
  session.paste(content, place);
}

/** Adds a copy of a step after it. */
export async function duplicateStep(session: EditSession, node: FlowNode): Promise<void> {
  session.paste(await copyOf(session, node), {
    parentId: node.step.parentId,
    position: node.position + 1,
  });
}
