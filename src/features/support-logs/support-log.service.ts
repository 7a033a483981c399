import type { Actor } from '../../platform/access/actor';
import { authorOf } from '../../platform/access/actor';
import { allows, printNeed } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { Forbidden, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { MaskingRule } from '../../platform/redaction';
import type { Collection } from '../../platform/store/collection';
import { changeTogether } from '../../platform/store/change-all';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { LiveList } from '../../platform/store/lists/live-list';
import type { ListChange } from '../../platform/store/lists/live-list';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import { runPolicy } from '../runs/run.policy';
import type { LoggedPart } from './hidden-parts';
import type { MaskingRuleService } from '../workflows/rules/rule.service';
import type { LoggedRun } from './logged-run';
import type { PackedWorkflow, SupportLogPacker } from './support-log-packer';
import { SupportLogParts } from './support-log-parts';
import { pick } from '../../platform/pick';
import { supportFileName, supportLogCollection } from './support-log.model';
import type { SupportLogRecord } from './support-log.model';
import { supportLogPolicy } from './support-log.policy';

declare module '../../platform/context' {
  interface Services {
    supportLogs: SupportLogService;
  }
}

interface NewSupportLog {
  readonly workflowId: number;
  /** Masking rules in addition to those of the workflow. */
  readonly rules: readonly MaskingRule[];
  /** Hidden in all requests and responses. */
  readonly hiddenParts?: readonly LoggedPart[];
  /** Input path of the rule at this position, for errors. */
  readonly place: (position: number) => InputPath;
  /** Whether to execute the workflow first, with logging. */
  readonly execute: boolean;
  /** Converts the record to the result of the job. */
  readonly present: (record: SupportLogRecord) => unknown;
}

export interface SupportFile {
  readonly record: SupportLogRecord;
  readonly bytes: AsyncIterable<Buffer>;
}

/** Bus topic: a `SupportLogsChanged` after support files became ready or were deleted. */
const SUPPORT_LOGS_TOPIC = 'support-logs.changed';

interface SupportLogsChanged {
  readonly ids: readonly number[];
}

/** Maximum number of support files of one workflow; a new one replaces the oldest. */
const MAX_PER_WORKFLOW = 10;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

const supportLogNotFound = (path: InputPath = ['id']): NotFound =>
  new NotFound('SUPPORT_FILE_NOT_FOUND', 'The support file does not exist or was deleted.', {
    path,
  });

/** Fields recorded in the audit. */
const auditedFields = (record: SupportLogRecord): object =>
  pick(record, 'fileName', 'workflowId', 'runIds', 'size');

/** Support files: logs of a workflow, packed in the background. */
export class SupportLogService {
  private readonly records: Collection<SupportLogRecord>;
  private readonly parts: SupportLogParts;
  private readonly liveList: LiveList<SupportLogRecord>;

  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'store' | 'bus'>;
      readonly audit: AuditService;
      readonly jobs: JobService;
      readonly maskingRules: MaskingRuleService;
      readonly loggedRun: LoggedRun;
      readonly packer: SupportLogPacker;
    },
  ) {
    const { store, bus } = deps.core;
    this.records = supportLogCollection(store);
    this.parts = new SupportLogParts(store);
    this.liveList = new LiveList<SupportLogRecord>({
      collection: this.records,
      isExclusive: store.isExclusive,
      revision: ['createdAt'],
      order: { field: 'createdAt', direction: 'desc' },
      listen: (note) =>
        bus.subscribe<SupportLogsChanged>(SUPPORT_LOGS_TOPIC, ({ ids }) => note(ids)),
    });
  }

  /** Returns null if there is none. */
  byId(id: number): Promise<SupportLogRecord | null> {
    return this.records.byId(id);
  }

  /** In the order of the ids, null where there is none. */
  byIds(ids: readonly number[]): Promise<(SupportLogRecord | null)[]> {
    return this.records.byIds(ids);
  }

  page(query: PageQuery): Promise<Page<SupportLogRecord>> {
    return pageOf(this.records, query);
  }

  /** All support files or those of a workflow, newest first. */
  list(workflowId?: number): Promise<SupportLogRecord[]> {
    return this.records.find(workflowId === undefined ? {} : { workflowId }, {
      sort: NEWEST_FIRST,
    });
  }

  /**
   * Changes of the list until the signal aborts: the first is empty, then files that became ready
   * or were deleted.
   */
  changes(
    filter: Record<string, unknown>,
    most: number,
    signal: AbortSignal,
  ): AsyncGenerator<ListChange<SupportLogRecord>, void, undefined> {
    return this.liveList.follow({ filter, most, signal, within: () => Promise.resolve({}) });
  }

  /**
   * Returns the named support file of a workflow, or without a name its newest.
   * @throws NotFound SUPPORT_FILE_NOT_FOUND
   */
  async file(workflowId: number, fileName?: string): Promise<SupportFile> {
    const record = await this.records.findOne(
      fileName === undefined ? { workflowId } : { fileName, workflowId },
      { sort: NEWEST_FIRST },
    );
    if (!record) throw supportLogNotFound();
    return { record, bytes: this.parts.read(record) };
  }

  /**
   * Packs the logs of a workflow in the background.
   * @throws Forbidden   if the workflow is to be executed and the actor may not execute it
   * @throws NotFound    CONNECTION_NOT_FOUND
   * @throws Refused     RULE_INVALID, LIST_TOO_LONG as for stored rules
   * @throws Unavailable if too many jobs are queued
   */
  async create(actor: Actor, input: NewSupportLog): Promise<JobRecord> {
    const { workflowId, rules, place, execute } = input;
    if (execute && !allows(runPolicy.start, actor))
      throw new Forbidden(`Executing the workflow requires ${printNeed(runPolicy.start)}.`);
    const { title, version } = await this.deps.maskingRules.checkRules(workflowId, rules, place);
    const needs = {
      all: [...supportLogPolicy.create.all, ...(execute ? [runPolicy.start] : [])],
    };
    return this.deps.jobs.start(actor, 'support-log', needs, async (job) => {
      if (execute) await this.deps.loggedRun.execute(actor, workflowId, job);
      await this.packAndStore(actor, { id: workflowId, title, version }, input, job);
    });
  }

  /**
   * Deletes a support file and returns the deleted record.
   * @throws NotFound SUPPORT_FILE_NOT_FOUND
   */
  remove(
    actor: Actor,
    filter: { readonly _id: number } | { readonly fileName: string },
  ): Promise<SupportLogRecord> {
    return this.deps.core.store.transaction(async (tx) => {
      const record = await this.records.findOne(filter, { tx });
      if (!record) throw supportLogNotFound();
      await this.removeAudited(actor, [record], tx);
      return record;
    });
  }

  /**
   * Deletes support files by name, all or none.
   * @throws NotFound SUPPORT_FILE_NOT_FOUND for each missing file
   * @throws BadInput if there are too many names
   */
  async removeList(actor: Actor, names: readonly string[]): Promise<void> {
    const { store } = this.deps.core;
    await changeTogether(store, names, 'support files', async (unique, pathOf, tx) => {
      const records = await this.records.find({ fileName: { $in: [...unique] } }, { tx });
      const existingNames = new Set(records.map(({ fileName }) => fileName));
      const missing = unique.filter((name) => !existingNames.has(name));
      new Findings(missing.map((name) => supportLogNotFound(pathOf(name)))).refuse();
      await this.removeAudited(actor, records, tx);
      return records;
    });
  }

  private async removeAudited(
    actor: Actor,
    records: readonly SupportLogRecord[],
    tx: Tx,
  ): Promise<void> {
    await this.removeRecords(records, tx);
    for (const record of records) {
      const target = { type: 'SupportLog', id: record._id } as const;
      const before = auditedFields(record);
      await this.deps.audit.record(actor, 'support-log.delete', target, before, null, tx);
    }
  }

  private async packAndStore(
    actor: Actor,
    workflow: PackedWorkflow,
    { rules, hiddenParts, present }: NewSupportLog,
    job: JobInHand,
  ): Promise<void> {
    const { core, audit, packer } = this.deps;
    const id = await core.store.nextId('supportLogs');
    const { at, expiresAt, runs, pieces } = await packer.pack(
      workflow,
      { rules, hiddenParts },
      job,
    );
    const stored = await this.parts.write(id, pieces, expiresAt, job.signal);
    try {
      await core.store.transaction(async (tx) => {
        await this.removeSurplus(workflow.id, tx);
        const record = await this.records.insert(
          {
            _id: id,
            fileName: supportFileName(id, workflow.id, at, runs[0]),
            workflowId: workflow.id,
            workflowTitle: workflow.title,
            runIds: runs.map(({ _id }) => _id),
            ...stored,
            createdAt: at,
            createdBy: authorOf(actor),
            expiresAt,
          },
          tx,
        );
        const target = { type: 'SupportLog', id } as const;
        await audit.record(actor, 'support-log.create', target, null, auditedFields(record), tx);
        await job.succeed(present(record), tx);
        this.publish([id], tx);
      });
    } catch (error) {
      await this.parts.remove([{ _id: id, parts: stored.parts }]);
      throw error;
    }
  }

  /** Removes the oldest files before another one is stored. This is not audited. */
  private async removeSurplus(workflowId: number, tx: Tx): Promise<void> {
    const surplus = await this.records.find(
      { workflowId },
      { tx, sort: NEWEST_FIRST, skip: MAX_PER_WORKFLOW - 1 },
    );
    await this.removeRecords(surplus, tx);
  }

  private async removeRecords(records: readonly SupportLogRecord[], tx: Tx): Promise<void> {
    if (records.length === 0) return;
    const ids = records.map(({ _id }) => _id);
    await this.records.deleteMany({ _id: { $in: ids } }, tx);
    await this.parts.remove(records, tx);
    this.publish(ids, tx);
  }

  private publish(ids: readonly number[], tx: Tx): void {
    tx.afterCommit(() =>
      this.deps.core.bus.publish<SupportLogsChanged>(SUPPORT_LOGS_TOPIC, { ids }),
    );
  }
}
