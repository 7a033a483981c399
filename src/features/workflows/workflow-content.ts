import { TooLarge } from '../../platform/errors/errors';
import { isLargeJson, jsonPieces } from '../../platform/json/write-json';
import type { Tx } from '../../platform/store/store';
import type { JsonObject } from './json';
import { applyChange } from './workflow-change';
import type { WorkflowChange } from './workflow-change';
import type { WorkflowDocument } from './workflow.document';
import type { WorkflowRecord } from './workflow.model';

/** What to save or test: a whole document that is not parsed yet, or a change of the stored one. */
export type WorkflowContent = { readonly document: unknown } | { readonly change: WorkflowChange };

/**
 * A save that derives the document from the stored one, as editors do. Repeated after a concurrent
 * save.
 */
export interface WorkflowEdit {
  /** Audit action. */
  readonly action: 'workflow.patch' | 'workflow.undo';
  /**
   * `stored`: the document was saved before and contains its secrets. `written`: it comes from a
   * client.
   */
  readonly origin: 'written' | 'stored';
  /** Returns the new document. */
  readonly make: (base: {
    readonly record: WorkflowRecord;
    readonly document: WorkflowDocument;
  }) => Promise<unknown>;
  /** Runs within the transaction, and replaces the undo entry of this save. */
  readonly settle?: (tx: Tx) => Promise<void>;
}

/**
 * Returns the document to save; a change is applied to `base`, a whole document replaces it.
 * @param most maximum size of a changed document, JSON bytes; whole documents were limited when
 * read
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

/** @throws TooLarge the JSON text has more bytes than `most` */
export async function requireSize(document: unknown, most: number): Promise<void> {
  let bytes = 0;
  for await (const piece of isLargeJson(document)
    ? jsonPieces(document)
    : [JSON.stringify(document)]) {
    bytes += Buffer.byteLength(piece);
    if (bytes > most) throw new TooLarge(`The workflow may have ${most} bytes at most.`);
  }
}
