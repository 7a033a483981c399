import type { Actor } from '../../../platform/access/actor';
import { requireVersion } from '../../../platform/store/records';
import type { ExpectedVersion } from '../../../platform/store/records';
import { Findings } from '../../../platform/errors/findings';
import { inTurns } from '../../../platform/event-loop';
import { readWhole } from '../../../platform/store/read-whole';
import type { Store, Tx } from '../../../platform/store/store';
import type { AuditService } from '../../audit/audit.service';
import { recorded } from '../workflow.audit';
import type { WorkflowDocument } from '../workflow.document';
import type { VersionRecord, WorkflowRecord } from '../workflow.model';
import { shownTo } from '../workflow-reading';
import type { WorkflowReading, WorkflowWithDocument } from '../workflow-reading';
import { documentFacts } from '../references/document-facts';
import type { VersionToShow, WorkflowWriting } from '../workflow-writing';
import { isCurrent, refuseComment, refuseInUse, versionNotFound } from './version.rules';
import type { WorkflowVersions } from './workflow-versions';

/** A version, and whether it is the current one. */
export interface ListedVersion {
  readonly version: VersionRecord;
  readonly current: boolean;
}

export interface VersionWithDocument {
  readonly version: VersionRecord;
  readonly document: WorkflowDocument;
}

export interface VersionHistoryDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly reading: WorkflowReading;
  readonly writing: WorkflowWriting;
  readonly versions: WorkflowVersions;
}

const told = ({ _id, number, comment }: VersionRecord): object => ({
  snapshotId: _id,
  number,
  comment,
});

/** The versions of a workflow: listing, comments, switching back and deletion. */
export function createVersionHistory({
  store,
  audit,
  reading,
  writing,
  versions,
}: VersionHistoryDependencies) {
  async function version(workflowId: number, snapshotId: string, tx?: Tx): Promise<VersionRecord> {
    const found = await versions.of(workflowId, snapshotId, tx);
    if (!found) throw versionNotFound(workflowId, snapshotId);
    return found;
  }

  /**
   * Returns a version with its unmasked document.
   * @throws NotFound VERSION_NOT_FOUND, also if it is deleted while it is read
   */
  async function originalVersion(
    workflowId: number,
    snapshotId: string,
  ): Promise<VersionWithDocument> {
    const whole = await readWhole({
      row: () => version(workflowId, snapshotId),
      nameOf: ({ content }) => content.id,
      partOf: (row) => reading.originalOf(row),
    });
    if (!whole) throw versionNotFound(workflowId, snapshotId);
    return { version: whole.row, document: whole.part };
  }

  /** The version with the facts that the workflow row needs if it becomes current. */
  async function toShow(original: VersionWithDocument): Promise<VersionToShow> {
    return { ...original, facts: await inTurns((turn) => documentFacts(original.document, turn)) };
  }

  /** @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND */
  async function both(
    workflowId: number,
    snapshotId: string,
  ): Promise<{ workflow: WorkflowRecord; original: VersionWithDocument }> {
    const workflow = await reading.get(workflowId);
    return { workflow, original: await originalVersion(workflowId, snapshotId) };
  }

  return {
    originalVersion,

    /**
     * The versions of a workflow, newest first, streamed.
     * @throws NotFound CONNECTION_NOT_FOUND
     */
    async versionList(workflowId: number): Promise<AsyncIterable<ListedVersion>> {
      const workflow = await reading.get(workflowId);
      return listed(versions.all(workflowId), workflow);
    },

    /** @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND */
    async versionWithDocument(
      actor: Actor,
      workflowId: number,
      snapshotId: string,
    ): Promise<VersionWithDocument> {
      const { original } = await both(workflowId, snapshotId);
      return { version: original.version, document: await shownTo(actor, original.document) };
    },

    /**
     * Changes the comment of a version; null removes it.
     * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
     * @throws BadInput the comment is too long
     */
    async commentVersion(
      actor: Actor,
      workflowId: number,
      snapshotId: string,
      comment: string | null,
    ): Promise<ListedVersion> {
      const found = new Findings();
      await found.of(() => refuseComment(comment ?? ''));
      await found.of(() => both(workflowId, snapshotId));
      found.refuse();
      return store.transaction(async (tx) => {
        const workflow = await reading.get(workflowId, tx);
        const before = await version(workflowId, snapshotId, tx);
        const after = await versions.comment(snapshotId, comment, tx);
        await audit.record(
          actor,
          'workflow.version-comment',
          { type: 'Workflow', id: workflowId },
          told(before),
          told(after),
          tx,
        );
        return { version: after, current: isCurrent(after, workflow) };
      });
    },

    /**
     * Deletes a version and returns the deleted record. Writes the workflow too, to conflict with a
     * concurrent switch to this version.
     * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
     * @throws Conflict VERSION_IN_USE it is the current one, or a run executes it
     */
    async removeVersion(
      actor: Actor,
      workflowId: number,
      snapshotId: string,
    ): Promise<VersionRecord> {
      return store.transaction(async (tx) => {
        const workflow = await writing.claim(workflowId, tx);
        const before = await version(workflowId, snapshotId, tx);
        refuseInUse(before, workflow);
        await versions.remove(before, tx);
        await audit.record(
          actor,
          'workflow.version-delete',
          { type: 'Workflow', id: workflowId },
          told(before),
          null,
          tx,
        );
        return before;
      });
    },

    /**
     * Makes an earlier version the current one. Creates no snapshot; the version that was current
     * is kept.
     * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
     * @throws Conflict TITLE_HAS_ALREADY_TAKEN another workflow has its title; CONFLICT the version
     * differs
     */
    async switchVersion(
      actor: Actor,
      workflowId: number,
      snapshotId: string,
      expectedVersion?: ExpectedVersion,
    ): Promise<WorkflowWithDocument> {
      const found = new Findings();
      const seen = await found.of(() => both(workflowId, snapshotId));
      if (seen) found.ofSync(() => requireVersion('workflow', seen.workflow, expectedVersion));
      if (seen && seen.original.document.title !== seen.workflow.title)
        await found.of(() => writing.requireFree(seen.original.document.title, workflowId));
      const { original } = found.passed(seen);
      const known = await toShow(original);
      return writing.titled(original.document.title, async (tx) => {
        const before = await reading.get(workflowId, tx);
        requireVersion('workflow', before, expectedVersion);
        const target = await version(workflowId, snapshotId, tx);
        const shown =
          target.content.id === original.version.content.id
            ? known
            : await toShow(await originalVersion(workflowId, snapshotId));
        const after = await writing.pointTo(actor, before, { ...shown, version: target }, tx);
        await audit.record(
          actor,
          'workflow.switch',
          { type: 'Workflow', id: workflowId },
          recorded(before),
          recorded(after),
          tx,
        );
        writing.announce(workflowId, 'updated', tx);
        return { record: after, document: await shownTo(actor, shown.document) };
      });
    },
  };
}

export type VersionHistory = ReturnType<typeof createVersionHistory>;

async function* listed(
  rows: AsyncIterable<readonly VersionRecord[]>,
  workflow: WorkflowRecord,
): AsyncGenerator<ListedVersion, void, void> {
  for await (const page of rows)
    for (const version of page) yield { version, current: isCurrent(version, workflow) };
}
