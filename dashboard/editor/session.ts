import { batch, computed, signal } from '@preact/signals';
import { toFailure } from '../api/failure';
import { request } from '../api/request';
import { subscribe } from '../api/subscriptions';
import { EditorWorkflowDocument, WatchEditedWorkflowDocument } from '../generated/operations';
import type { WatchEditedWorkflowSubscription } from '../generated/operations';
import { notify, notifyFailure } from '../parts/notices';
import { applyEdit, buildFlow, createUnsavedId, documentOf, flattenFlow } from './document';
import type { Edit, FlowNode, Place, SavedWorkflow, Step, StepChanges } from './document';
import { titleEntries } from './fields/references';
import type { Titles } from './fields/references';
import { EditDrafts } from './edit-drafts';
import { sendEdit, sendRedo, sendUndo } from './edit-requests';
import type { EditResult } from './edit-requests';
import {
  changedPaths,
  findClashes,
  nextToSend,
  valuesAt,
  waitReason,
  withEdit,
  withSavedId,
} from './pending-edits';
import type { Clash, PendingEdit } from './pending-edits';
import { sameValue } from '../parts/values';

/** Delay after the last keystroke before an edit is sent, ms. */
const TYPING_DELAY_MS = 400;
/** Delay before edits are sent again after a lost connection, ms. */
const RETRY_DELAY_MS = 3_000;
type Present =
  WatchEditedWorkflowSubscription['workflowsChanged']['changed'][number]['presence'][number];

/** How long steps that another user changed are marked, ms. */
const MARK_MS = 2_000;

export type SaveState = 'saved' | 'saving' | 'incomplete' | 'rejected' | 'offline';

/**
 * One workflow while it is edited: what is saved, the edits that are not, and the selection. Edits
 * are applied at once and sent one after the other; nothing else of the editor sends mutations of
 * the workflow.
 */
export class EditSession {
  readonly saved = signal<SavedWorkflow>(null as never);
  readonly pending = signal<readonly PendingEdit[]>([]);
  readonly clashes = signal<readonly Clash[]>([]);
  readonly isOffline = signal(false);
  readonly isDeleted = signal(false);
  readonly savedAt = signal<Date | null>(null);
  /** Steps that another user has just changed. */
  readonly marked = signal<ReadonlySet<string>>(new Set());
  /** Who has the workflow open. */
  readonly present = signal<readonly Present[]>([]);
  readonly selectedId = signal<string | null>(null);
  /** A step that is removed after a question, because other steps refer to it. */
  readonly removal = signal<{
    readonly node: FlowNode;
    readonly users: readonly FlowNode[];
  } | null>(null);

  private savedSteps: ReadonlyMap<string, Step> = new Map();
  private readonly savedDocument = computed(() => {
    const document = documentOf(this.saved.value, this.savedSteps);
    this.savedSteps = new Map(document.steps.map((step) => [step.id, step]));
    return document;
  });
  readonly document = computed(() =>
    this.pending.value.reduce(
      (document, { edit }) => applyEdit(document, edit),
      this.savedDocument.value,
    ),
  );
  private lastNodes: ReadonlyMap<string, FlowNode> = new Map();
  readonly flow = computed(() => buildFlow(this.document.value.steps, this.lastNodes));
  readonly nodes = computed(() => flattenFlow(this.flow.value));
  readonly nodesById = computed(() => {
    this.lastNodes = new Map(this.nodes.value.map((node) => [node.step.id, node]));
    return this.lastNodes;
  });
  private readonly titlesText = computed(() =>
    JSON.stringify(titleEntries(this.document.value.steps)),
  );
  /** Titles of the calls by colour. It changes only if a title does. */
  readonly titles = computed(
    (): Titles => new Map(JSON.parse(this.titlesText.value) as [string, string][]),
  );
  /** Ids of the steps with problems. */
  readonly problemIds = computed(
    () =>
      new Set([
        ...this.saved.value.validation.map(({ stepId }) => stepId),
        ...this.pending.value
          .filter((entry) => entry.failure !== null || waitReason(entry) !== null)
          .map(({ edit }) => ('stepId' in edit ? edit.stepId : null)),
      ]),
  );
  readonly selected = computed(() => this.nodesById.value.get(this.selectedId.value ?? '') ?? null);
  readonly state = computed((): SaveState => {
    const pending = this.pending.value;
    if (pending.length === 0) return 'saved';
    if (this.isOffline.value) return 'offline';
    if (pending.some(({ failure }) => failure !== null)) return 'rejected';
    return nextToSend(pending) === undefined ? 'incomplete' : 'saving';
  });
  readonly isReadOnly = computed(() => this.isDeleted.value || !this.saved.value.viewerCan.update);

  /** Ids of steps and bindings before they were saved, by their ids. */
  private readonly unsavedIds = new Map<string, string>();
  private lastId = 0;
  private sentId: number | null = null;
  private isSending = false;
  private timer: ReturnType<typeof setTimeout> | null = null;
  private readonly unsubscribe: () => void;
  private announcedVersion = 0;
  private idle: (() => void)[] = [];
  private readonly drafts: EditDrafts;

  /**
   * @param id the integer id of the workflow
   * @param draft edits of an earlier visit that were not saved, as `EditDrafts` stored them
   */
  constructor(
    readonly id: string,
    workflow: SavedWorkflow,
    draft: unknown,
  ) {
    this.saved.value = workflow;
    this.drafts = new EditDrafts(id, draft !== null);
    this.restore(this.drafts.read(draft));
    this.unsubscribe = subscribe(WatchEditedWorkflowDocument, {
      variables: () => ({ filter: { id: { eq: id } } }),
      onData: ({ workflowsChanged: { changed, removedIds } }) => {
        if (removedIds.length > 0) this.isDeleted.value = true;
        for (const { presence } of changed) this.present.value = presence;
        this.announcedVersion = Math.max(
          this.announcedVersion,
          ...changed.map(({ version }) => version),
        );
        this.readAnnounced();
      },
      onError: notifyFailure,
    });
    addEventListener('online', this.retryNow);
    addEventListener('beforeunload', this.askBeforeUnload);
  }

  /** Sends what waits, and stops. */
  dispose(): void {
    this.flush();
    this.unsubscribe();
    removeEventListener('online', this.retryNow);
    removeEventListener('beforeunload', this.askBeforeUnload);
  }

  /** Applies an edit at once, and sends it now or, while the user types, a little later. */
  change(change: Edit, { isTyping = false } = {}): void {
    if (this.isReadOnly.value) return;
    // A field may still have the id from before the step was saved.
    let edit = change;
    for (const [id, unsavedId] of this.unsavedIds) edit = withSavedId(edit, unsavedId, id);
    const { steps } = this.document.value;
    const step = edit.kind === 'update' ? steps.find(({ id }) => id === edit.stepId) : undefined;
    const base =
      step === undefined || edit.kind !== 'update'
        ? null
        : valuesAt(step, changedPaths(edit.changes));
    const added = { id: (this.lastId += 1), edit, base, failure: null };
    this.setPending(withEdit(this.pending.value, added, this.sentId, steps));
    this.schedule(isTyping ? TYPING_DELAY_MS : 0);
  }

  /** Changes fields of a step. */
  update(stepId: string, changes: StepChanges, options?: { isTyping?: boolean }): void {
    this.change({ kind: 'update', stepId, changes }, options);
  }

  /** Adds a step and selects it. */
  add(changes: StepChanges, place: Place): void {
    const stepId = createUnsavedId();
    this.change({ kind: 'add', stepId, changes, ...place });
    this.selectedId.value = stepId;
  }

  /** Adds copied steps, and selects the first when they are saved. */
  paste(content: unknown, place: Place): void {
    const stepId = createUnsavedId();
    this.change({ kind: 'paste', stepId, content, ...place });
    this.selectedId.value = stepId;
  }

  /** Sends what waits without the delay of typing. */
  flush(): void {
    this.schedule(0);
  }

  /** Resolves when every edit that can be sent is saved or rejected. */
  settled(): Promise<void> {
    this.flush();
    return this.isSending || nextToSend(this.sendable()) !== undefined
      ? new Promise((resolve) => this.idle.push(resolve))
      : Promise.resolve();
  }

  /** Undoes the last edit: one that waits, or else the last save. */
  async undo(): Promise<void> {
    const last = this.pending.value.at(-1);
    if (last !== undefined && last.id !== this.sentId) return this.discard(last);
    await this.settled();
    await this.sendStackMove(sendUndo);
  }

  /** Redoes the last save that was undone. */
  async redo(): Promise<void> {
    await this.settled();
    await this.sendStackMove(sendRedo);
  }

  private async sendStackMove(send: typeof sendUndo): Promise<void> {
    try {
      const { workflow, userErrors } = await send(this.base());
      if (workflow !== null) this.adopt(workflow);
      for (const { message } of userErrors) notify(message, { isError: true });
      if (workflow === null) await this.refresh();
    } catch (error) {
      notifyFailure(error);
    }
  }

  /** Removes an edit that waits. */
  discard(entry: PendingEdit): void {
    this.clashes.value = this.clashes.value.filter(({ pending }) => pending.id !== entry.id);
    this.setPending(this.pending.value.filter(({ id }) => id !== entry.id));
    this.flush();
  }

  /** Sends a rejected edit again. */
  sendAgain(entry: PendingEdit): void {
    this.replace(entry, { failure: null });
    this.flush();
  }

  /** Settles a field that two users changed. */
  settle(clash: Clash, choice: 'own' | 'saved'): void {
    const { pending: entry, path } = clash;
    const current = this.pending.value.find(({ id }) => id === entry.id);
    this.clashes.value = this.clashes.value.filter((other) => other !== clash);
    if (current === undefined || current.edit.kind !== 'update') return this.flush();
    const base = { ...current.base, [path]: clash.saved };
    if (choice === 'own') this.replace(current, { base });
    else {
      const changes = withoutPath(current.edit.changes, path);
      if (changedPaths(changes).length === 0) return this.discard(current);
      this.replace(current, { base, edit: { ...current.edit, changes } });
    }
    this.flush();
  }

  /** Returns the edit of a step that was rejected or waits, with the reason. */
  problemOf(stepId: string): { readonly entry: PendingEdit; readonly reason: string } | null {
    for (const entry of this.pending.value) {
      if (!('stepId' in entry.edit) || entry.edit.stepId !== stepId) continue;
      const reason = entry.failure ?? waitReason(entry);
      if (reason !== null) return { entry, reason };
    }
    return null;
  }

  /** Reads the saved workflow again, and looks for fields that two users changed. */
  async refresh(): Promise<void> {
    const { workflow } = await request(EditorWorkflowDocument, { id: this.id });
    if (workflow === null) {
      this.isDeleted.value = true;
      return;
    }
    if (workflow.version > this.saved.value.version) this.markChanges(workflow);
    this.adopt(workflow);
    this.clashes.value = findClashes(this.pending.value, workflow);
  }

  private readonly retryNow = (): void => this.schedule(0);

  private readonly askBeforeUnload = (event: BeforeUnloadEvent): void => {
    if (this.pending.value.length > 0) event.preventDefault();
  };

  private base() {
    return { workflowId: this.id, expectedVersion: this.saved.value.version };
  }

  private replace(entry: PendingEdit, changes: Partial<PendingEdit>): void {
    this.setPending(
      this.pending.value.map((other) => (other.id === entry.id ? { ...other, ...changes } : other)),
    );
  }

  private setPending(pending: readonly PendingEdit[]): void {
    this.pending.value = pending;
    this.drafts.write(pending);
  }

  private restore(stored: readonly PendingEdit[]): void {
    this.pending.value = stored;
    this.lastId = Math.max(0, ...stored.map(({ id }) => id));
    this.clashes.value = findClashes(stored, this.saved.value);
    if (stored.length > 0) this.schedule(0);
  }

  private schedule(delay: number): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.timer = null;
      void this.send();
    }, delay);
  }

  /** Edits without those that wait for a decision between two values. */
  private sendable(): readonly PendingEdit[] {
    const clashing = new Set(this.clashes.value.map(({ pending }) => pending.id));
    return this.pending.value.filter(({ id }) => !clashing.has(id));
  }

  private async send(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (
        let next = nextToSend(this.sendable());
        next !== undefined && this.timer === null;
        next = nextToSend(this.sendable())
      )
        await this.sendOne(next);
    } finally {
      this.sentId = null;
      this.isSending = false;
      if (this.timer === null) for (const resolve of this.idle.splice(0)) resolve();
      this.readAnnounced();
    }
  }

  private async sendOne(next: PendingEdit): Promise<void> {
    this.sentId = next.id;
    try {
      const result = await sendEdit(next.edit, this.base());
      this.isOffline.value = false;
      if (result.userErrors.some(({ code }) => code === 'CONFLICT')) await this.refresh();
      else if (result.workflow === null)
        this.reject(next, result.userErrors.map(({ message }) => message).join(' '));
      else this.confirm(next, result, result.workflow);
    } catch (error) {
      const { kind, message } = toFailure(error);
      if (kind !== 'unreachable') return this.reject(next, message);
      this.isOffline.value = true;
      this.schedule(RETRY_DELAY_MS);
    } finally {
      this.sentId = null;
    }
  }

  private confirm({ id, edit }: PendingEdit, { addedId }: EditResult, saved: SavedWorkflow): void {
    const unsavedId =
      edit.kind === 'add' || edit.kind === 'paste'
        ? edit.stepId
        : edit.kind === 'bind'
          ? (edit.binding.bindingId ?? null)
          : null;
    const rest = this.pending.value.filter((entry) => entry.id !== id);
    const renamed =
      addedId == null || unsavedId === null
        ? rest
        : rest.map((entry) => ({
            ...entry,
            edit: withSavedId(entry.edit, String(unsavedId), addedId),
          }));
    if (addedId != null && unsavedId !== null) this.unsavedIds.set(addedId, String(unsavedId));
    batch(() => {
      this.adopt(saved);
      this.setPending(renamed);
      if (addedId != null && this.selectedId.value === unsavedId) this.selectedId.value = addedId;
    });
  }

  /** Fields stay with the reason; a change of the flow is taken back. */
  private reject(entry: PendingEdit, reason: string): void {
    const { kind } = entry.edit;
    if (kind === 'update' || kind === 'bind' || kind === 'details')
      return this.replace(entry, { failure: reason });
    this.setPending(this.pending.value.filter(({ id }) => id !== entry.id));
    notify(reason, { isError: true });
  }

  private adopt(workflow: SavedWorkflow): void {
    if (workflow.version < this.saved.value.version) return;
    this.saved.value = workflow;
    this.savedAt.value = new Date();
  }

  private readAnnounced(): void {
    if (this.isSending || this.announcedVersion <= this.saved.value.version) return;
    this.refresh().catch((error: unknown) => {
      // The next message of the subscription, or the next edit, reads it again.
      if (toFailure(error).kind === 'unreachable') this.isOffline.value = true;
    });
  }

  private markChanges(workflow: SavedWorkflow): void {
    const before = new Map(documentOf(this.saved.value).steps.map((step) => [step.id, step]));
    const changed = documentOf(workflow).steps.filter(
      (step) => !sameValue(step, before.get(step.id)),
    );
    this.marked.value = new Set(changed.map(({ id }) => id));
    setTimeout(() => (this.marked.value = new Set()), MARK_MS);
  }

  /** The node of a step, if it still exists. */
  nodeOf(stepId: string | null): FlowNode | undefined {
    return stepId === null ? undefined : this.nodesById.value.get(stepId);
  }

  /** A key of a step or binding that stays when it is saved and gets its id. */
  keyOf(id: string): string {
    return this.unsavedIds.get(id) ?? id;
  }

  /** The present id of a step that may have been saved since. */
  idOf(stepId: string): string {
    for (const [id, unsavedId] of this.unsavedIds) if (unsavedId === stepId) return id;
    return stepId;
  }

  parentOf({ step }: FlowNode): FlowNode | null {
    return this.nodeOf(step.parentId) ?? null;
  }
}

function withoutPath({ method, operator }: StepChanges, path: string): StepChanges {
  const [name = '', field] = path.split('.');
  if (operator !== undefined) {
    const { [name as keyof typeof operator]: _removed, ...rest } = operator;
    return { operator: rest };
  }
  if (field !== undefined && method?.request) {
    const { [field as keyof typeof method.request]: _removed, ...request } = method.request;
    const { request: _request, ...rest } = method;
    return { method: Object.keys(request).length === 0 ? rest : { ...rest, request } };
  }
  const { [name as keyof typeof method]: _removed, ...rest } = method ?? {};
  return { method: rest };
}
