import type { WorkflowSnapshot } from '../../../../engine';

/** Characters; longer documents are not kept. */
const MOST_KEPT = 2 * 1024 * 1024;

/**
 * Whether a process keeps the document for its next run, so that the service need not send it
 * again.
 */
export const isKept = (text: string): boolean => text.length <= MOST_KEPT;

/**
 * Parses documents of runs and keeps the last one: a process often executes the same workflow
 * again, and the engine caches by object.
 * Another document replaces it before its run begins, so no run sees data of another.
 */
export class LastDocument {
  private last: { readonly text: string; readonly document: WorkflowSnapshot } | null = null;

  /** @param text null for the document of the previous run */
  read(text: string | null): WorkflowSnapshot {
    if (this.last !== null && (text === null || this.last.text === text)) return this.last.document;
    if (text === null) throw new Error('No document was kept.');
    this.last = null;
    const document = JSON.parse(text) as WorkflowSnapshot;
    if (isKept(text)) this.last = { text, document };
    return document;
  }
}
