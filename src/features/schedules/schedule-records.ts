import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import type { InputPath } from '../../platform/errors/errors';
import { NotFound } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Collection } from '../../platform/store/collection';
import type { PlaceOf } from '../../platform/store/records';
import { everyRecord } from '../../platform/store/records';
import { NOTHING } from '../../platform/store/lists/filter';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { LiveList } from '../../platform/store/lists/live-list';
import type { ListChange } from '../../platform/store/lists/live-list';
import { pagesOf } from '../../platform/store/lists/pages-of';
import { titleSearch } from '../../platform/store/lists/title-search';
import type { TitleSearch } from '../../platform/store/lists/title-search';
import type { Tx } from '../../platform/store/store';
import type { RunRecord } from '../runs/run.model';
import { nextFires } from '../../platform/clock/cron';
import { scheduleCollection } from './schedule.model';
import type { ScheduleExecution, ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

/** Bus topic: a `SchedulesChanged`, after the change was committed. */
const SCHEDULES_TOPIC = 'schedules.changed';

/**
 * Schedules that were created, changed or deleted, are due at another time, or got or lost a
 * webhook.
 */
interface SchedulesChanged {
  readonly scheduleIds: readonly number[];
}

/** Schedules per batch, whose workflows are read together. */
const BATCH_SIZE = 50;

/**
 * Field that stores the last run, by its final state. CANCELLED counts as failure: the released
 * frontend, which cancels a test, polls the schedule until one of the two fields is set.
 */
const LAST_RUN_FIELDS: Partial<Record<RunRecord['state'], 'lastSuccess' | 'lastFailure'>> = {
  SUCCEEDED: 'lastSuccess',
  FAILED: 'lastFailure',
  INTERRUPTED: 'lastFailure',
  CANCELLED: 'lastFailure',
};

export const scheduleNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('SCHEDULER_NOT_FOUND', `There is no schedule ${id}.`, { path });

/** The stored schedules, for services that schedules themselves depend on. */
export class ScheduleRecords {
  readonly collection: Collection<ScheduleRecord>;
  readonly searchTitles: TitleSearch;
  private readonly liveList: LiveList<ScheduleRecord>;

  constructor(private readonly core: Core) {
    this.collection = scheduleCollection(core.store);
    this.searchTitles = titleSearch(this.collection, { title: 'title', key: 'titleKey' });
    this.liveList = new LiveList<ScheduleRecord>({
      collection: this.collection,
      isExclusive: core.store.isExclusive,
      listen: (note) =>
        core.bus.subscribe<SchedulesChanged>(SCHEDULES_TOPIC, ({ scheduleIds }) =>
          note(scheduleIds),
        ),
      revision: ['version', 'claims', 'nextFireAt'],
      order: { field: 'titleKey', direction: 'asc' },
    });
  }

  byId(id: number, tx?: Tx): Promise<ScheduleRecord | null> {
    return this.collection.byId(id, tx);
  }

  /** In the order of the ids, null where there is none. */
  byIds(ids: readonly number[], tx?: Tx): Promise<(ScheduleRecord | null)[]> {
    return this.collection.byIds(ids, { tx });
  }

  /** Returns the earliest due time, which is past if a schedule waits to be started. */
  async earliestDueAt(): Promise<Date | null> {
    const next = await this.collection.findOne<Pick<ScheduleRecord, 'nextFireAt'>>(
      { nextFireAt: { $ne: null } },
      { fields: { nextFireAt: 1 }, sort: { nextFireAt: 1, _id: 1 } },
    );
    return next?.nextFireAt ?? null;
  }

  /** @throws NotFound SCHEDULER_NOT_FOUND */
  async get(id: number, tx?: Tx, path?: InputPath): Promise<ScheduleRecord> {
    const record = await this.byId(id, tx);
    if (!record) throw scheduleNotFound(id, path);
    return record;
  }

  /** @throws NotFound SCHEDULER_NOT_FOUND for each missing one */
  async getAll(ids: readonly number[], place: PlaceOf, tx?: Tx): Promise<ScheduleRecord[]> {
    const findings = new Findings();
    const records = (await this.byIds(ids, tx)).flatMap((record, at) => {
      if (!record) findings.add(scheduleNotFound(ids[at], place(ids[at])));
      return record ?? [];
    });
    findings.refuse();
    return records;
  }

  page(query: PageQuery): Promise<Page<ScheduleRecord>> {
    return pageOf<ScheduleRecord>(this.collection, query);
  }

  /** The same page for each workflow. */
  pagesOfWorkflows(
    workflowIds: readonly number[],
    query: PageQuery,
  ): Promise<Page<ScheduleRecord>[]> {
    return pagesOf(this.collection, 'workflowId', workflowIds, query);
  }

  /** The next due times, earliest first; none if it is disabled. */
  nextFiresOf({ cron, timeZone, enabled }: ScheduleRecord): Date[] {
    return enabled ? nextFires(cron, timeZone, this.core.clock.now()) : [];
  }

  /**
   * Changes of a list of schedules, as far as the actor may see them at each moment, until the
   * signal aborts.
   * @throws BadInput while iterating, if no index supports the filter and the list is long
   */
  changes(
    actor: () => Promise<Actor>,
    filter: Record<string, unknown>,
    { most, signal }: { readonly most: number; readonly signal: AbortSignal },
  ): AsyncGenerator<ListChange<ScheduleRecord>, void, undefined> {
    const within = async () => (allows(schedulePolicy.read, await actor()) ? {} : NOTHING);
    return this.liveList.follow({ filter, most, signal, within });
  }

  /** Reads all schedules by id. */
  batches(): AsyncGenerator<ScheduleRecord[], void, void> {
    return everyRecord(this.collection, {}, null, BATCH_SIZE);
  }

  /** Publishes changed schedules after the transaction that writes them has committed. */
  publish(scheduleIds: readonly number[], tx: Pick<Tx, 'afterCommit'>): void {
    if (scheduleIds.length === 0) return;
    tx.afterCommit(() => this.core.bus.publish<SchedulesChanged>(SCHEDULES_TOPIC, { scheduleIds }));
  }

  /**
   * Writes a schedule that another record refers to, so that a concurrent deletion conflicts.
   * @throws NotFound SCHEDULER_NOT_FOUND
   */
  async claim(id: number, tx: Tx, path?: InputPath): Promise<void> {
    if ((await this.writeClaims([id], tx)) === 0) throw scheduleNotFound(id, path);
  }

  /** Writes schedules that lost a reference, if they exist, so that subscribers are notified. */
  async release(ids: readonly number[], tx: Tx): Promise<void> {
    if (ids.length > 0) await this.writeClaims(ids, tx);
  }

  /** The schedules of a user are those of another account of the same person. */
  async moveTo(
    fromId: number,
    { _id: userId, email }: { readonly _id: number; readonly email: string },
    tx: Tx,
  ): Promise<void> {
    const made = { 'createdBy.userId': fromId };
    const schedules = await this.collection.find<Pick<ScheduleRecord, '_id'>>(made, {
      tx,
      fields: { _id: 1 },
    });
    await this.collection.updateMany(made, { $set: { createdBy: { userId, email } } }, tx);
    await this.release(
      schedules.map(({ _id }) => _id),
      tx,
    );
  }

  /** Stores how a run of a schedule ended. Call in the transaction that ends the run. */
  recordEnd(
    { _id: runId, scheduleId, state, startedAt, finishedAt, durationMs }: RunRecord,
    tx: Tx,
  ): void {
    const field = LAST_RUN_FIELDS[state];
    if (scheduleId === undefined || field === undefined || finishedAt === null) return;
    const execution: ScheduleExecution = {
      runId,
      startedAt: startedAt ?? finishedAt,
      finishedAt,
      durationMs: durationMs ?? 0,
    };
    // The average duration excludes runs that were cancelled or interrupted, or never began.
    const isCounted = (state === 'SUCCEEDED' || state === 'FAILED') && startedAt !== null;
    const update = {
      $set: { [field]: execution },
      ...(isCounted && { $inc: { executions: 1, executionsMs: execution.durationMs } }),
    };
    this.collection.updateLater({ filter: { _id: scheduleId }, update, isOptional: true }, tx);
  }

  /** Returns how many of the schedules exist. */
  private async writeClaims(ids: readonly number[], tx: Tx): Promise<number> {
    const matched = await this.collection.updateMany(
      { _id: { $in: [...ids] } },
      { $inc: { claims: 1 } },
      tx,
    );
    this.publish(ids, tx);
    return matched;
  }
}
