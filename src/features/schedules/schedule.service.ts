import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { zoneName } from '../../platform/clock/time-zone';
import type { Core } from '../../platform/core';
import { BadInput } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import {
  changeRecord,
  eachOnce,
  insertRecord,
  isTaken,
  placesIn,
  requireVersion,
  THE_ID,
} from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
import { NOTHING } from '../../platform/store/filter';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange, LiveList } from '../../platform/store/live-list';
import { pagesOf } from '../../platform/store/pages-of';
import { createRecordLocks } from '../../platform/store/record-locks';
import { uniquely } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import { titleSearch } from '../../platform/store/title-search';
import type { TitleSearch } from '../../platform/store/title-search';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { NEVER, nextFire, nextFires, tidyCron } from './cron';
import { DEFAULT_MISSED_FIRES, DEFAULT_OVERLAP_POLICY } from './schedule-options';
import { SCHEDULES_TOPIC } from './schedule-records';
import type { SchedulesChanged, ScheduleRecords } from './schedule-records';
import type { ScheduleRemoval } from './schedule-removal';
import { auditedFields, checkScheduleChange, titleTaken } from './schedule.model';
import type { ScheduleChange, ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

declare module '../../platform/context' {
  interface Services {
    schedules: ScheduleService;
  }
}

type Timing = Pick<ScheduleRecord, 'enabled' | 'cron' | 'timeZone'>;

/** Reads, saves and deletes schedules. */
export class ScheduleService {
  // Serialise: overlapping bulk changes would conflict and retry.
  private readonly bulk = createRecordLocks();
  private readonly liveList: LiveList<ScheduleRecord>;
  readonly searchTitles: TitleSearch;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly records: ScheduleRecords;
      readonly removal: ScheduleRemoval;
      readonly workflows: WorkflowService;
      /** Time zone of schedules that specify none. */
      readonly timeZone: string;
    },
  ) {
    const { core, records } = deps;
    this.searchTitles = titleSearch(records.model, { title: 'title', key: 'titleKey' });
    this.liveList = createLiveList<ScheduleRecord>({
      model: records.model,
      isExclusive: core.store.isExclusive,
      listen: (note) =>
        core.bus.subscribe<SchedulesChanged>(SCHEDULES_TOPIC, ({ scheduleIds }) =>
          note(scheduleIds),
        ),
      revision: ['version', 'claims', 'nextFireAt'],
      order: { field: 'titleKey', direction: 'asc' },
    });
  }

  byId(id: number): Promise<ScheduleRecord | null> {
    return this.deps.records.byId(id);
  }

  /** In the order of the ids, null where there is none. */
  byIds(ids: readonly number[]): Promise<(ScheduleRecord | null)[]> {
    return this.deps.records.byIds(ids);
  }

  page(query: PageQuery): Promise<Page<ScheduleRecord>> {
    return pageOf<ScheduleRecord>(this.deps.records.model, query);
  }

  /** The same page for each workflow. */
  pagesOfWorkflows(
    workflowIds: readonly number[],
    query: PageQuery,
  ): Promise<Page<ScheduleRecord>[]> {
    return pagesOf(this.deps.records.model, 'workflowId', workflowIds, query);
  }

  /** The next due times, earliest first; none if it is disabled. */
  nextFiresOf({ cron, timeZone, enabled }: ScheduleRecord): Date[] {
    return enabled ? nextFires(cron, timeZone, this.deps.core.clock.now()) : [];
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
    return this.liveList({ filter, most, signal, within });
  }

  /**
   * @throws BadInput if title, cron expression or time zone are invalid, or no workflow is given
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws Conflict TITLE_ALREADY_EXISTS
   */
  async create(actor: Actor, input: ScheduleChange): Promise<ScheduleRecord> {
    const { core, audit, records } = this.deps;
    const { cron = NEVER, timeZone = this.deps.timeZone } = input;
    const title = input.title?.trim() ?? '';
    return this.withTitle(title, async (tx) => {
      const found = new Findings(
        checkScheduleChange(
          { title: input.title ?? null, cron, timeZone },
          { timeZone, now: core.clock.now(), isNew: true },
        ),
      );
      await this.checkTitleFree(title, null, found, tx);
      const workflow = found.passed(await this.claimWorkflow(input.workflowId, found, tx));
      const [id, now, author] = [
        await core.store.nextId('schedules', tx),
        core.clock.now(),
        authorOf(actor),
      ];
      const timing = {
        enabled: input.enabled ?? true,
        cron: tidyCron(cron),
        timeZone: zoneName(timeZone),
      };
      const record = await insertRecord<ScheduleRecord>(
        records.model,
        {
          _id: id,
          title,
          titleKey: fold(title),
          workflowId: workflow._id,
          ...timing,
          logging: input.logging ?? false,
          missedFires: input.missedFires ?? DEFAULT_MISSED_FIRES,
          overlapPolicy: input.overlapPolicy ?? DEFAULT_OVERLAP_POLICY,
          nextFireAt: this.nextFireOf(timing),
          lastRunId: null,
          lastDueRunId: null,
          lastSuccess: null,
          lastFailure: null,
          executions: 0,
          executionsMs: 0,
          createdAt: now,
          createdBy: author,
          updatedAt: now,
          updatedBy: author,
          version: 1,
        },
        tx,
      );
      const target = { type: 'Schedule', id } as const;
      await audit.record(actor, 'schedule.create', target, null, auditedFields(record), tx);
      records.publish([id], tx);
      return record;
    });
  }

  /**
   * Changes the given fields.
   * @throws BadInput if title, cron expression or time zone are invalid
   * @throws NotFound SCHEDULER_NOT_FOUND, CONNECTION_NOT_FOUND
   * @throws Conflict TITLE_ALREADY_EXISTS; CONFLICT if the version is not the expected one
   */
  async update(
    actor: Actor,
    id: number,
    input: ScheduleChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<ScheduleRecord> {
    const { core, records } = this.deps;
    return this.withTitle(input.title?.trim() ?? '', async (tx) => {
      const found = new Findings();
      const before = await found.of(() => records.get(id, tx));
      if (before) found.ofSync(() => requireVersion('schedule', before, expectedVersion));
      found.add(
        ...checkScheduleChange(input, {
          timeZone: input.timeZone ?? before?.timeZone ?? this.deps.timeZone,
          now: core.clock.now(),
          isNew: input.cron !== undefined && tidyCron(input.cron) !== before?.cron,
        }),
      );
      const title = input.title === undefined ? (before?.title ?? '') : (input.title?.trim() ?? '');
      if (title !== before?.title) await this.checkTitleFree(title, id, found, tx);
      const { workflowId, cron, timeZone, enabled, logging, missedFires, overlapPolicy } = input;
      if (workflowId !== undefined && workflowId !== before?.workflowId)
        await this.claimWorkflow(workflowId, found, tx);
      const base = found.passed(before);
      return this.change(
        actor,
        base,
        {
          ...(title !== base.title && { title, titleKey: fold(title) }),
          ...(workflowId !== undefined && { workflowId }),
          ...(cron !== undefined && { cron: tidyCron(cron) }),
          ...(timeZone !== undefined && { timeZone: zoneName(timeZone) }),
          ...(enabled !== undefined && { enabled }),
          ...(logging !== undefined && { logging }),
          ...(missedFires !== undefined && { missedFires }),
          ...(overlapPolicy !== undefined && { overlapPolicy }),
        },
        tx,
      );
    });
  }

  /**
   * Enables or disables schedules, all or none, and returns their current records.
   * @throws BadInput if there are too many
   * @throws NotFound SCHEDULER_NOT_FOUND for each unknown one
   */
  async enableAll(
    actor: Actor,
    ids: readonly number[],
    enabled: boolean,
  ): Promise<ScheduleRecord[]> {
    const unique = eachOnce(ids, 'schedules');
    return this.bulk.of('enable', () =>
      this.deps.core.store.transaction(async (tx) => {
        const changed: ScheduleRecord[] = [];
        for (const record of await this.deps.records.getAll(unique, placesIn(ids), tx)) {
          changed.push(
            record.enabled === enabled ? record : await this.change(actor, record, { enabled }, tx),
          );
        }
        return changed;
      }),
    );
  }

  /**
   * Deletes a schedule and returns the deleted record.
   * @throws NotFound SCHEDULER_NOT_FOUND
   * @throws Conflict CONFLICT if the version is not the expected one
   */
  async remove(
    actor: Actor,
    id: number,
    expectedVersion?: ExpectedVersion,
  ): Promise<ScheduleRecord> {
    const [removed] = await this.removeEach(actor, [id], THE_ID, expectedVersion);
    return removed;
  }

  /**
   * Deletes schedules, all or none, and returns the deleted records.
   * @throws BadInput if there are too many
   * @throws NotFound SCHEDULER_NOT_FOUND for each unknown one
   */
  async removeAll(actor: Actor, ids: readonly number[]): Promise<ScheduleRecord[]> {
    const unique = eachOnce(ids, 'schedules');
    return this.bulk.of('remove', () => this.removeEach(actor, unique, placesIn(ids)));
  }

  private removeEach(
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected?: ExpectedVersion,
  ): Promise<ScheduleRecord[]> {
    return this.deps.core.store.transaction(async (tx) => {
      const records = await this.deps.records.getAll(ids, place, tx);
      for (const record of records) requireVersion('schedule', record, expected);
      await this.deps.removal.remove(actor, records, tx);
      return records;
    });
  }

  /** A schedule that is enabled again is due from now on: earlier times are skipped. */
  private async change(
    actor: Actor,
    base: ScheduleRecord,
    set: Partial<ScheduleRecord>,
    tx: Tx,
  ): Promise<ScheduleRecord> {
    const { core, audit, records } = this.deps;
    const timing = {
      enabled: set.enabled ?? base.enabled,
      cron: set.cron ?? base.cron,
      timeZone: set.timeZone ?? base.timeZone,
    };
    const isTimed =
      timing.enabled !== base.enabled ||
      timing.cron !== base.cron ||
      timing.timeZone !== base.timeZone;
    const after = await changeRecord(
      records.model,
      base._id,
      {
        ...set,
        ...(isTimed && { nextFireAt: this.nextFireOf(timing) }),
        updatedAt: core.clock.now(),
        updatedBy: authorOf(actor),
        version: base.version + 1,
      },
      tx,
    );
    const target = { type: 'Schedule', id: base._id } as const;
    const [old, changed] = [auditedFields(base), auditedFields(after)];
    await audit.record(actor, 'schedule.update', target, old, changed, tx);
    records.publish([base._id], tx);
    return after;
  }

  private withTitle<R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> {
    return uniquely(
      () => this.deps.core.store.transaction(work),
      () => titleTaken(title),
    );
  }

  private async checkTitleFree(
    title: string,
    id: number | null,
    found: Findings,
    tx: Tx,
  ): Promise<void> {
    if (await isTaken(this.deps.records.model, { titleKey: fold(title) }, id, tx))
      found.add(titleTaken(title));
  }

  /**
   * Writes the workflow, so that a concurrent deletion conflicts. Rejects the temporary workflow of
   * a test.
   */
  private claimWorkflow(id: number | undefined, found: Findings, tx: Tx) {
    return found.of(() => {
      if (id === undefined)
        throw new BadInput('BAD_REQUEST', 'A schedule needs a workflow to run.', {
          path: ['workflowId'],
        });
      return this.deps.workflows.claimLasting(id, tx, ['workflowId']);
    });
  }

  private nextFireOf({ enabled, cron, timeZone }: Timing): Date | null {
    return enabled ? nextFire(cron, timeZone, this.deps.core.clock.now()) : null;
  }
}
