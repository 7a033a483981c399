import { request } from '../api/request';
import { RemoveDraftDocument, SetDraftDocument } from '../generated/operations';
import type { PendingEdit } from './pending-edits';

/** Delay before edits that wait are stored on the service, ms. */
const STORE_DELAY_MS = 1_500;

const isPendingEdit = (value: unknown): value is PendingEdit => {
  const { id, edit } = (value ?? {}) as Partial<PendingEdit>;
  return typeof id === 'number' && typeof edit?.kind === 'string';
};

const parseEdits = (value: unknown): readonly PendingEdit[] =>
  Array.isArray(value) && value.every(isPendingEdit) ? value : [];

/**
 * Keeps edits that are not saved: in this browser tab, which a reload finds, and those that wait
 * for longer as the draft of the user on the service.
 */
export class EditDrafts {
  private readonly key: string;
  private timer: ReturnType<typeof setTimeout> | null = null;

  /** @param isStored whether the service has a draft */
  constructor(
    private readonly workflowId: string,
    private isStored: boolean,
  ) {
    this.key = `hypha:edits:${workflowId}`;
  }

  /** @param draft content of the draft on the service, or null */
  read(draft: unknown): readonly PendingEdit[] {
    const text = sessionStorage.getItem(this.key);
    if (text === null) return parseEdits(draft);
    try {
      return parseEdits(JSON.parse(text));
    } catch {
      return [];
    }
  }

  write(pending: readonly PendingEdit[]): void {
    if (pending.length === 0) sessionStorage.removeItem(this.key);
    else sessionStorage.setItem(this.key, JSON.stringify(pending));
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => this.store(pending), STORE_DELAY_MS);
  }

  private store(content: readonly PendingEdit[]): void {
    const { workflowId } = this;
    if (content.length === 0 && !this.isStored) return;
    this.isStored = content.length > 0;
    const stored =
      content.length === 0
        ? request(RemoveDraftDocument, { input: { workflowId } })
        : request(SetDraftDocument, { input: { workflowId, content } });
    // The tab still has the edits.
    stored.catch(() => undefined);
  }
}
