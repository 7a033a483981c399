import type { Actor } from '../../platform/access/actor';
import { authorOf } from '../../platform/access/actor';
import { allows, printNeed } from '../../platform/access/need';
import type { Clock } from '../../platform/clock/clock';
import { DomainError, Forbidden } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { EventBus } from '../../platform/events/bus';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { MaskingRule } from '../../platform/masking/rule-mask';
import { eachOnce, insertRecord, recordsByIds } from '../../platform/store/records';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import { runPolicy } from '../runs/run.policy';
import { supportLogPolicy } from './support-log.policy';
import type { RunEvents } from '../runs/events/run-events.service';
import type { RunService } from '../runs/run.service';
import type { MaskingRuleService } from '../workflows/rules/rule.service';
import { createSupportLogPacking } from './support-log-packing';
import type { SupportLogPackingDependencies } from './support-log-packing';
import { createSupportLogParts } from './support-log-parts';
import type { SupportLogsChanged } from './support-log.events';
import { SUPPORT_LOGS_TOPIC } from './support-log.events';
import { supportLogModel } from './support-log.model';
import type { SupportLogRecord } from './support-log.model';
import { MOST_OF_A_WORKFLOW, supportFileName, supportLogNotFound } from './support-log.rules';

declare module '../../platform/context' {
  interface Services {
    supportLogs: SupportLogService;
  }
}

export interface SupportLogDependencies extends SupportLogPackingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly jobs: Pick<JobService, 'start'>;
  readonly workflows: Pick<WorkflowService, 'judgeRules' | 'rulesOf'>;
  readonly runs: Pick<RunService, 'run' | 'cancel'>;
  readonly runEvents: Pick<RunEvents, 'follow'>;
  readonly keepDays: number;
}

export interface NewSupportLog {
  readonly workflowId: number;
  /** Masking rules in addition to those of the workflow. */
  readonly rules: readonly MaskingRule[];
  /** Input path of the rule at this position, for errors. */
  readonly place: (position: number) => InputPath;
  /** Whether to execute the workflow first, with logging. */
  readonly run: boolean;
  /** Converts the record to the result of the job. */
  readonly told: (record: SupportLogRecord) => unknown;
}

export interface SupportFile {
  readonly record: SupportLogRecord;
  readonly bytes: AsyncIterable<Buffer>;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** Maximum time a job waits for its run, ms; then the log is packed as far as it is written. */
const LONGEST_WAIT_MS = 10 * 60 * 1_000;

export type SupportLogService = ReturnType<typeof createSupportLogService>;

/** Fields recorded in the audit. */
const recorded = ({ fileName, workflowId, runIds, size }: SupportLogRecord): object => ({
  fileName,
  workflowId,
  runIds,
  size,
});

/** Support files: logs of a workflow, packed in the background. */
export function createSupportLogService({
  store,
  bus,
  clock,
  audit,
  jobs,
  maskingRules,
  runs,
  runEvents,
  keepDays,
  ...of
}: SupportLogDependencies) {
  const records = supportLogModel(store);
  const parts = createSupportLogParts(store);
  const packing = createSupportLogPacking({ ...of, clock, workflows });
  const publish = (ids: readonly number[]): void =>
    bus.publish<SupportLogsChanged>(SUPPORT_LOGS_TOPIC, { ids });
  const list = createLiveList<SupportLogRecord>({
    model: records,
    isExclusive: store.isExclusive,
    revision: ['createdAt'],
    order: { field: 'createdAt', direction: 'desc' },
    listen: (note) => bus.subscribe<SupportLogsChanged>(SUPPORT_LOGS_TOPIC, ({ ids }) => note(ids)),
  });

  /** Executes the workflow and waits for its end. Cancelling the job cancels the run. */
  async function executed(
    actor: Actor,
    workflowId: number,
    { signal, progress, aside }: JobInHand,
  ): Promise<void> {
    const { _id: runId } = await runs.run(actor, workflowId, { logging: true });
    await progress(1, `Run ${runId} goes on.`);
    try {
      await aside(async () => {
        await endOf(actor, runId, signal);
        signal.throwIfAborted();
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      await runs.cancel(actor, runId).catch((refused: unknown) => {
        if (!(refused instanceof DomainError)) throw refused;
      });
      throw error;
    }
  }

  /** Resolves when the run has ended, the signal aborts or the wait times out. */
  async function endOf(actor: Actor, runId: number, signal: AbortSignal): Promise<void> {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
    try {
      for await (const { event } of await runEvents.follow(actor, runId, 0, waiting))
        if (event.kind === 'RunFinished') return;
    } catch (error) {
      // The log of an ended run may be removed already: pack without it.
      if (!waiting.aborted && !(error instanceof DomainError)) throw error;
    }
  }

  /** Makes room for a new support file, in the transaction that stores it. */
  async function removeSurplus(workflowId: number, tx: Tx): Promise<void> {
    const surplus = await records
      .find({ workflowId }, null, { session: tx.session })
      .sort({ createdAt: -1, _id: -1 })
      .skip(MOST_OF_A_WORKFLOW - 1)
      .lean<SupportLogRecord[]>();
    await removeAll(surplus, tx);
  }

  async function removeAll(old: readonly SupportLogRecord[], tx: Tx): Promise<void> {
    if (old.length === 0) return;
    const ids = old.map(({ _id }) => _id);
    await records.deleteMany({ _id: { $in: ids } }, { session: tx.session });
    await parts.remove(old, tx);
    tx.afterCommit(() => publish(ids));
  }

  return {
    /**
     * Packs the logs of a workflow in the background.
     * @throws Forbidden   if the workflow is to be executed and the actor may not execute it
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Refused     RULE_INVALID, LIST_TOO_LONG as for stored rules
     * @throws Unavailable if too many jobs are queued
     */
    async create(
      actor: Actor,
      { workflowId, rules, place, run, told }: NewSupportLog,
    ): Promise<JobRecord> {
      if (run && !allows(runPolicy.start, actor))
        throw new Forbidden(`To execute the workflow needs ${printNeed(runPolicy.start)}.`);
      const { title, version } = await maskingRules.checkRules(workflowId, rules, place);
      return jobs.start(
        actor,
        'support-log',
        { all: [...supportLogPolicy.create.all, ...(run ? [runPolicy.start] : [])] },
        async (job) => {
          if (run) await executed(actor, workflowId, job);
          const id = await store.nextId('supportLogs');
          const { at, runIds, pieces } = await packing.pack(
            { id: workflowId, title, version },
            rules,
            job,
          );
          const expiresAt = new Date(at.getTime() + keepDays * DAY_MS);
          const stored = await parts.write(id, pieces, expiresAt, job.signal);
          try {
            await store.transaction(async (tx) => {
              await removeSurplus(workflowId, tx);
              const record = await insertRecord<SupportLogRecord>(
                records,
                {
                  _id: id,
                  fileName: supportFileName(id, workflowId, at),
                  workflowId,
                  workflowTitle: title,
                  runIds: [...runIds],
                  ...stored,
                  createdAt: at,
                  createdBy: authorOf(actor),
                  expiresAt,
                },
                tx,
              );
              await audit.record(
                actor,
                'support-log.create',
                { type: 'SupportLog', id },
                null,
                recorded(record),
                tx,
              );
              await job.succeed(told(record), tx);
              tx.afterCommit(() => publish([id]));
            });
          } catch (error) {
            await parts.remove([{ _id: id, parts: stored.parts }]);
            throw error;
          }
        },
      );
    },

    /** Returns null if there is none. */
    byId: (id: number): Promise<SupportLogRecord | null> =>
      records.findById(id).lean<SupportLogRecord>(),

    /** In the order of the ids, null where there is none. */
    async byIds(ids: readonly number[]): Promise<(SupportLogRecord | null)[]> {
      return recordsByIds(records, ids);
    },

    page: (query: PageQuery): Promise<Page<SupportLogRecord>> => pageOf(records, query),

    /** All support files or those of a workflow, newest first. */
    list: (workflowId?: number): Promise<SupportLogRecord[]> =>
      records
        .find(workflowId === undefined ? {} : { workflowId })
        .sort({ createdAt: -1, _id: -1 })
        .lean<SupportLogRecord[]>(),

    /**
     * Returns the named support file of a workflow, or without a name its newest.
     * @throws NotFound SUPPORT_FILE_NOT_FOUND
     */
    async file(workflowId: number, fileName?: string): Promise<SupportFile> {
      const record = await records
        .findOne(fileName === undefined ? { workflowId } : { fileName, workflowId })
        .sort({ createdAt: -1, _id: -1 })
        .lean<SupportLogRecord>();
      if (!record) throw supportLogNotFound();
      return { record, bytes: parts.read(record) };
    },

    /**
     * Deletes a support file and returns the deleted record.
     * @throws NotFound SUPPORT_FILE_NOT_FOUND
     */
    async remove(
      actor: Actor,
      which: { readonly _id: number } | { readonly fileName: string },
    ): Promise<SupportLogRecord> {
      return store.transaction(async (tx) => {
        const record = await records
          .findOne(which, null, { session: tx.session })
          .lean<SupportLogRecord>();
        if (!record) throw supportLogNotFound();
        await removeAll([record], tx);
        await audit.record(
          actor,
          'support-log.delete',
          { type: 'SupportLog', id: record._id },
          recorded(record),
          null,
          tx,
        );
        return record;
      });
    },

    /**
     * Deletes support files by name, all or none.
     * @throws NotFound SUPPORT_FILE_NOT_FOUND for each missing file
     * @throws BadInput if there are too many names
     */
    async removeList(actor: Actor, names: readonly string[]): Promise<void> {
      const wanted = eachOnce(names, 'support files');
      await store.transaction(async (tx) => {
        const old = await records
          .find({ fileName: { $in: wanted } }, null, { session: tx.session })
          .lean<SupportLogRecord[]>();
        const there = new Set(old.map(({ fileName }) => fileName));
        const missing = new Findings(
          names.flatMap((name, nth) => (there.has(name) ? [] : [supportLogNotFound(['ids', nth])])),
        );
        missing.refuse();
        await removeAll(old, tx);
        for (const record of old)
          await audit.record(
            actor,
            'support-log.delete',
            { type: 'SupportLog', id: record._id },
            recorded(record),
            null,
            tx,
          );
      });
    },

    /**
     * Changes of the list until the signal aborts: the first is empty, then files that became ready
     * or were deleted.
     */
    changes: (
      filter: Record<string, unknown>,
      most: number,
      signal: AbortSignal,
    ): AsyncGenerator<ListChange<SupportLogRecord>, void, undefined> =>
      list({ filter, most, signal, within: () => Promise.resolve({}) }),
  };
}
