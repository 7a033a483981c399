import type { Actor } from '../../../platform/access/actor';
import { BadInput, Conflict, NotFound } from '../../../platform/errors/errors';
import { Findings } from '../../../platform/errors/findings';
import { requireVersion } from '../../../platform/store/records';
import type { ExpectedVersion } from '../../../platform/store/records';
import { readWhole } from '../../../platform/store/read-whole';
import type { Store, Tx } from '../../../platform/store/store';
import { textProblems } from '../../../platform/errors/text-problems';
import type { AuditService } from '../../audit/audit.service';
import { compareDocuments } from '../editing/differences';
import type { DocumentDiff } from '../editing/differences';
import { documentFacts } from '../document/document-facts';
import { recorded } from '../workflow.audit';
import type { WorkflowDocument } from '../document/workflow-document';
import type { ContentRef, VersionRecord, WorkflowRecord } from '../workflow.model';
import { shownTo } from '../workflow-reader';
import type { WorkflowReader, WorkflowWithDocument } from '../workflow-reader';
import type { VersionToShow, WorkflowWriter } from '../saving/workflow-writer';
import type { WorkflowVersions } from './workflow-versions';

declare module '../../../platform/context' {
  interface Services {
    workflowVersions: VersionService;
  }
}

/** A version, and whether it is the current one. */
export interface ListedVersion {
  readonly version: VersionRecord;
  readonly current: boolean;
}

export interface VersionWithDocument {
  readonly version: VersionRecord;
  readonly document: WorkflowDocument;
}

/** The differences of two versions. */
export interface WorkflowDiff extends DocumentDiff {
  readonly from: VersionRecord;
  readonly to: VersionRecord;
}

const MAX_COMMENT_LENGTH = 500;

/**
 * Checks the comment of a version.
 * @throws BadInput TEXT_TOO_LONG, TEXT_INVALID
 */
export function requireComment(comment: string): void {
  const problems = textProblems(comment, MAX_COMMENT_LENGTH, ['comment']);
  if (problems.length > 0)
    throw new BadInput('BAD_REQUEST', 'The comment is invalid.', { problems });
}

export const isCurrent = (
  version: Pick<VersionRecord, '_id'>,
  workflow: Pick<WorkflowRecord, 'snapshotId'>,
): boolean => version._id === workflow.snapshotId;

/** The versions of a workflow: listing, comparison, comments, switching back and deletion. */
export class VersionService {
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly audit: AuditService;
      readonly reading: WorkflowReader;
      readonly writing: WorkflowWriter;
      readonly versions: WorkflowVersions;
    },
  ) {}

  /**
   * The versions of a workflow, newest first, streamed.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async list(workflowId: number): Promise<AsyncIterable<ListedVersion>> {
    const workflow = await this.deps.reading.get(workflowId);
    return listVersions(this.deps.versions.all(workflowId), workflow);
  }

  /** @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND */
  async getWithDocument(
    actor: Actor,
    workflowId: number,
    snapshotId: string,
  ): Promise<VersionWithDocument> {
    const { original } = await this.getBoth(workflowId, snapshotId);
    return { version: original.version, document: shownTo(actor, original.document) };
  }

  /**
   * Compares two versions of a workflow; `to` null: the current one. Secrets are masked for every
   * user.
   * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
   */
  async diff(workflowId: number, from: string, to: string | null): Promise<WorkflowDiff> {
    const workflow = await this.deps.reading.get(workflowId);
    const before = await this.getOriginal(workflowId, from);
    const after = await this.getOriginal(workflowId, to ?? workflow.snapshotId);
    const diff = compareDocuments(before.document, after.document);
    return { from: before.version, to: after.version, ...diff };
  }

  /**
   * Compares what a run executed with the current version, also if it is kept only for runs. Null
   * if it is not kept. Secrets are masked for every user.
   * @throws NotFound CONNECTION_NOT_FOUND
   */
  async diffSince(workflowId: number, { id }: ContentRef): Promise<WorkflowDiff | null> {
    const { reading, versions } = this.deps;
    const from = await versions.byContent(id);
    const before = from && (await reading.originalOf(from));
    if (!from || !before) return null;
    const { snapshotId } = await reading.get(workflowId);
    const after = await this.getOriginal(workflowId, snapshotId);
    return { from, to: after.version, ...compareDocuments(before, after.document) };
  }

  /**
   * Changes the comment of a version; null removes it.
   * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
   * @throws BadInput the comment is too long
   */
  async comment(
    actor: Actor,
    workflowId: number,
    snapshotId: string,
    comment: string | null,
  ): Promise<ListedVersion> {
    const { store, reading, versions } = this.deps;
    const findings = new Findings();
    await findings.of(() => requireComment(comment ?? ''));
    await findings.of(() => this.getBoth(workflowId, snapshotId));
    findings.refuse();
    return store.transaction(async (tx) => {
      const workflow = await reading.get(workflowId, tx);
      const before = await this.require(workflowId, snapshotId, tx);
      const after = await versions.comment(snapshotId, comment, tx);
      await this.record(actor, 'workflow.version-comment', before, after, tx);
      return { version: after, current: isCurrent(after, workflow) };
    });
  }

  /**
   * Deletes a version and returns the deleted record. Writes the workflow too, to conflict with a
   * concurrent switch to this version.
   * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
   * @throws Conflict VERSION_IN_USE it is the current one, or a run executes it
   */
  async remove(actor: Actor, workflowId: number, snapshotId: string): Promise<VersionRecord> {
    const { store, writing, versions } = this.deps;
    return store.transaction(async (tx) => {
      const workflow = await writing.claim(workflowId, tx);
      const before = await this.require(workflowId, snapshotId, tx);
      requireUnused(before, workflow);
      await versions.remove(before, tx);
      await this.record(actor, 'workflow.version-delete', before, null, tx);
      return before;
    });
  }

  /**
   * Makes an earlier version the current one. Creates no snapshot; the version that was current is
   * kept.
   * @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN another workflow has its title; CONFLICT the version
   * differs
   */
  async switchTo(
    actor: Actor,
    workflowId: number,
    snapshotId: string,
    expectedVersion?: ExpectedVersion,
  ): Promise<WorkflowWithDocument> {
    const { reading, writing } = this.deps;
    const original = await this.checkSwitch(workflowId, snapshotId, expectedVersion);
    const prepared = addFacts(original);
    return writing.titled(original.document.title, async (tx) => {
      const before = await reading.get(workflowId, tx);
      requireVersion('workflow', before, expectedVersion);
      const target = await this.require(workflowId, snapshotId, tx);
      const shown =
        target.content.id === original.version.content.id
          ? prepared
          : addFacts(await this.getOriginal(workflowId, snapshotId));
      const after = await writing.pointTo(actor, before, { ...shown, version: target }, tx);
      const change = [recorded(before), recorded(after)] as const;
      await writing.record(actor, 'workflow.switch', workflowId, change, tx);
      return { record: after, document: shownTo(actor, shown.document) };
    });
  }

  /** Collects all errors of a switch before its transaction. */
  private async checkSwitch(
    workflowId: number,
    snapshotId: string,
    expectedVersion: ExpectedVersion,
  ): Promise<VersionWithDocument> {
    const findings = new Findings();
    const both = await findings.of(() => this.getBoth(workflowId, snapshotId));
    if (both) {
      const { workflow, original } = both;
      findings.ofSync(() => requireVersion('workflow', workflow, expectedVersion));
      if (original.document.title !== workflow.title)
        await findings.of(() => this.deps.writing.requireFree(original.document.title, workflowId));
    }
    return findings.passed(both).original;
  }

  /** @throws NotFound CONNECTION_NOT_FOUND, VERSION_NOT_FOUND */
  private async getBoth(
    workflowId: number,
    snapshotId: string,
  ): Promise<{ workflow: WorkflowRecord; original: VersionWithDocument }> {
    const workflow = await this.deps.reading.get(workflowId);
    return { workflow, original: await this.getOriginal(workflowId, snapshotId) };
  }

  /**
   * Returns a version with its unmasked document.
   * @throws NotFound VERSION_NOT_FOUND, also if it is deleted while it is read
   */
  private async getOriginal(workflowId: number, snapshotId: string): Promise<VersionWithDocument> {
    const result = await readWhole({
      row: () => this.require(workflowId, snapshotId),
      nameOf: ({ content }) => content.id,
      partOf: (row) => this.deps.reading.originalOf(row),
    });
    if (!result) throw versionNotFound(workflowId, snapshotId);
    return { version: result.row, document: result.part };
  }

  /** @throws NotFound VERSION_NOT_FOUND */
  private async require(workflowId: number, snapshotId: string, tx?: Tx): Promise<VersionRecord> {
    const version = await this.deps.versions.of(workflowId, snapshotId, tx);
    if (!version) throw versionNotFound(workflowId, snapshotId);
    return version;
  }

  private record(
    actor: Actor,
    action: 'workflow.version-comment' | 'workflow.version-delete',
    before: VersionRecord,
    after: VersionRecord | null,
    tx: Tx,
  ): Promise<void> {
    return this.deps.audit.record(
      actor,
      action,
      { type: 'Workflow', id: before.workflowId },
      auditRecord(before),
      after && auditRecord(after),
      tx,
    );
  }
}

async function* listVersions(
  pages: AsyncIterable<readonly VersionRecord[]>,
  workflow: WorkflowRecord,
): AsyncGenerator<ListedVersion, void, void> {
  for await (const page of pages)
    for (const version of page) yield { version, current: isCurrent(version, workflow) };
}

/** Adds the facts that the workflow row needs if the version becomes current. */
function addFacts(original: VersionWithDocument): VersionToShow {
  return {
    ...original,
    facts: documentFacts(original.document),
  };
}

const auditRecord = ({ _id, number, comment }: VersionRecord): object => ({
  snapshotId: _id,
  number,
  comment,
});

const versionNotFound = (workflowId: number, snapshotId: string): NotFound =>
  new NotFound(
    'VERSION_NOT_FOUND',
    `Workflow ${workflowId} has no version ${JSON.stringify(snapshotId.slice(0, 100))}.`,
    { path: ['snapshotId'] },
  );

/**
 * Rejects the deletion of the current version, and of one that a run executes.
 * @throws Conflict VERSION_IN_USE
 */
function requireUnused(version: VersionRecord, workflow: WorkflowRecord): void {
  const inUse = (message: string): Conflict =>
    new Conflict('VERSION_IN_USE', message, { path: ['snapshotId'] });
  if (isCurrent(version, workflow))
    throw inUse('This is the current version of the workflow. Switch to another one first.');
  if (version.uses > 0)
    throw inUse('A run executes this version. Wait until it ends, or cancel it.');
}
