import { TooLarge } from '../../platform/errors/errors';
import { isLargeJson, jsonPieces } from '../../platform/json/write-json';
import type { JsonObject } from './json';
import { applyChange } from './workflow-change';
import type { WorkflowChange } from './workflow-change';

/** What somebody wants saved or tested: a whole document as it was sent, or parts of one. */
export type WorkflowContent = { readonly document: unknown } | { readonly change: WorkflowChange };

/**
 * The document that is meant, where `base` is what stands there now: nothing of it is left under a whole document.
 * @param most bytes of its JSON; a whole document was counted as it was read
 * @throws TooLarge
 */
export async function documentMeant(content: WorkflowContent, base: JsonObject, most: number): Promise<unknown> {
  if ('document' in content) return content.document;
  const document = applyChange(base, content.change);
  await requireSize(document, most);
  return document;
}

async function requireSize(document: JsonObject, most: number): Promise<void> {
  let bytes = 0;
  for await (const piece of isLargeJson(document) ? jsonPieces(document) : [JSON.stringify(document)]) {
    bytes += Buffer.byteLength(piece);
    if (bytes > most) throw new TooLarge(`The workflow may have ${most} bytes at most.`);
  }
}
