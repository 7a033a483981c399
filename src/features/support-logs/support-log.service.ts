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
import { recordsByIds } from '../../platform/store/by-ids';
import { eachOnce } from '../../platform/store/all-or-none';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import { insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import { runPolicy } from '../runs/run.policy';
import { supportLogPolicy } from './support-log.policy';
import type { RunService } from '../runs/run.service';
import type { WorkflowService } from '../workflows/workflow.service';
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
  readonly runs: SupportLogPackingDependencies['runs'] &
    Pick<RunService, 'run' | 'events' | 'cancel'>;
  readonly keepDays: number;
}

/** What somebody wants to be packed. */
export interface NewSupportLog {
  readonly workflowId: number;
  /** What is hidden in it, beside what the rules of the workflow select. */
  readonly rules: readonly MaskingRule[];
  /** Where each of them stands in the input. */
  readonly place: (position: number) => InputPath;
  /** The workflow is executed first, with a log. */
  readonly run: boolean;
  /** What the job answers. */
  readonly told: (record: SupportLogRecord) => unknown;
}

/** A support file that is sent to somebody. */
export interface SupportFile {
  readonly record: SupportLogRecord;
  readonly bytes: AsyncIterable<Buffer>;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
/** So long a job waits for the run it has started; then its log is packed as far as it has come. */
const LONGEST_WAIT_MS = 10 * 60 * 1_000;

export type SupportLogService = ReturnType<typeof createSupportLogService>;

/** What the audit keeps of one. */
const recorded = ({ fileName, workflowId, runIds, size }: SupportLogRecord): object => ({
  fileName,
  workflowId,
  runIds,
  size,
});

/** The rules of support files: logs of a workflow, packed in the background for somebody who is asked for help. */
export function createSupportLogService({
  store,
  bus,
  clock,
  audit,
  jobs,
  workflows,
  runs,
  keepDays,
  ...of
}: SupportLogDependencies) {
  const records = supportLogModel(store);
  const parts = createSupportLogParts(store);
  const packing = createSupportLogPacking({ ...of, clock, workflows, runs });
  const publish = (ids: readonly number[]): void =>
    bus.publish<SupportLogsChanged>(SUPPORT_LOGS_TOPIC, { ids });
  const list = createLiveList<SupportLogRecord>({
    model: records,
    isExclusive: store.isExclusive,
    revision: ['createdAt'],
    order: { field: 'createdAt', direction: 'desc' },
    listen: (note) => bus.subscribe<SupportLogsChanged>(SUPPORT_LOGS_TOPIC, ({ ids }) => note(ids)),
  });

  /** Executes the workflow and waits for the end; a job that is cancelled cancels the run. */
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

  /** Resolves when a run has ended, or nobody waits for it any longer. */
  async function endOf(actor: Actor, runId: number, signal: AbortSignal): Promise<void> {
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_WAIT_MS)]);
    try {
      for await (const { event } of await runs.events(actor, runId, 0, waiting))
        if (event.kind === 'RunFinished') return;
    } catch (error) {
      // The log of a run that has ended may be gone already: it is packed without.
      if (!waiting.aborted && !(error instanceof DomainError)) throw error;
    }
  }

  /** In the transaction that stores a new one. */
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
     * Packs the logs of a workflow in the background, as many as are kept, each as it is then.
     * @throws Forbidden   it is to be executed, and the actor may not have it
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Refused     RULE_INVALID, LIST_TOO_LONG as of a rule that is stored
     * @throws Unavailable too many jobs wait
     */
    async create(
      actor: Actor,
      { workflowId, rules, place, run, told }: NewSupportLog,
    ): Promise<JobRecord> {
      if (run && !allows(runPolicy.start, actor))
        throw new Forbidden(`To execute the workflow needs ${printNeed(runPolicy.start)}.`);
      const { title, version } = await workflows.judgeRules(workflowId, rules, place);
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

    /** Null when there is none. */
    byId: (id: number): Promise<SupportLogRecord | null> =>
      records.findById(id).lean<SupportLogRecord>(),

    /** By id, in the order asked for; null where there is none. */
    async byIds(ids: readonly number[]): Promise<(SupportLogRecord | null)[]> {
      return recordsByIds(records, ids);
    },

    page: (query: PageQuery): Promise<Page<SupportLogRecord>> => pageOf(records, query),

    /** All of them, or those of a workflow, the newest first. */
    list: (workflowId?: number): Promise<SupportLogRecord[]> =>
      records
        .find(workflowId === undefined ? {} : { workflowId })
        .sort({ createdAt: -1, _id: -1 })
        .lean<SupportLogRecord[]>(),

    /**
     * One of a workflow: this one, or without a name the newest.
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
     * Deletes one and answers it as it was.
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
     * Deletes those of these names, all or none.
     * @throws NotFound SUPPORT_FILE_NOT_FOUND each that is not there
     * @throws BadInput too many at once
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

    /** What changes in the list of all, until the signal is aborted: the first is empty, then whatever became ready or was deleted. */
    changes: (
      filter: Record<string, unknown>,
      most: number,
      signal: AbortSignal,
    ): AsyncGenerator<ListChange<SupportLogRecord>, void, undefined> =>
      list({ filter, most, signal, within: () => Promise.resolve({}) }),
  };
}
