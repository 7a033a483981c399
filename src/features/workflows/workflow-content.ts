import { TooLarge } from '../../platform/errors/errors';
import { isLargeJson, jsonPieces } from '../../platform/json/write-json';
import type { Tx } from '../../platform/store/store';
import type { JsonObject } from './json';
import { applyChange } from './workflow-change';
import type { WorkflowChange } from './workflow-change';
import type { WorkflowDocument } from './workflow.document';
import type { WorkflowRecord } from './workflow.model';

/** What somebody wants saved or tested: a whole document as it was sent, or parts of one. */
export type WorkflowContent = { readonly document: unknown } | { readonly change: WorkflowChange };

/** A save whose document is made of the one that is there: one of the many small ones of an editor. Made again when somebody was faster. */
export interface WorkflowEdit {
  /** How the audit calls it. */
  readonly action: 'workflow.patch' | 'workflow.undo';
  /** `stored`: it was saved once, just as it is, secrets too. `written`: somebody wrote it. */
  readonly origin: 'written' | 'stored';
  /** The document that is meant. */
  readonly make: (base: {
    readonly record: WorkflowRecord;
    readonly document: WorkflowDocument;
  }) => Promise<unknown>;
  /** Within the transaction, in place of what leads back from this save. */
  readonly settle?: (tx: Tx) => Promise<void>;
}

/**
 * The document that is meant, where `base` is what stands there now: nothing of it is left under a whole document.
 * @param most bytes of its JSON; a whole document was counted as it was read
 * @throws TooLarge
 */
export async function documentMeant(
  content: WorkflowContent,
  base: JsonObject,
  most: number,
): Promise<unknown> {
  if ('document' in content) return content.document;
  const document = applyChange(base, content.change);
  await requireSize(document, most);
  return document;
}

/** @throws TooLarge its JSON has more bytes than `most` */
export async function requireSize(document: unknown, most: number): Promise<void> {
  let bytes = 0;
  for await (const piece of isLargeJson(document)
    ? jsonPieces(document)
    : [JSON.stringify(document)]) {
    bytes += Buffer.byteLength(piece);
    if (bytes > most) throw new TooLarge(`The workflow may have ${most} bytes at most.`);
  }
}
