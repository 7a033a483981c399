import type { WorkflowSnapshot } from '../../../../engine';

/** Characters; what is longer is not worth keeping. */
const MOST_KEPT = 2 * 1024 * 1024;

/** Whether a process still has a document when its next run begins: the service need not send it again. */
export const isKept = (text: string): boolean => text.length <= MOST_KEPT;

/**
 * Reads documents of runs, and keeps the one it read last: a process often executes the same workflow again, and the engine knows an object that it
 * has read before. Another document replaces it before its run begins, so that no run finds what belongs to a different one.
 */
export class LastDocument {
  private last: { readonly text: string; readonly document: WorkflowSnapshot } | null = null;

  /** @param text null: that of the run before, which was kept */
  read(text: string | null): WorkflowSnapshot {
    if (this.last !== null && (text === null || this.last.text === text)) return this.last.document;
    if (text === null) throw new Error('No document was kept.');
    this.last = null;
    const document = JSON.parse(text) as WorkflowSnapshot;
    if (isKept(text)) this.last = { text, document };
    return document;
  }
}
