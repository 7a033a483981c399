import type { Model } from 'mongoose';
import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { zoneName } from '../../platform/clock/time-zone';
import type { InputPath } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import {
  changeRecord,
  eachOnce,
  insertRecord,
  isTaken,
  placesIn,
  requireVersion,
} from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import { createRecordTurns } from '../../platform/store/record-turns';
import { uniquely } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { NEVER, nextFire, tidyCron } from './cron';
import { DEFAULT_MISSED_FIRES } from './missed-fires';
import { DEFAULT_OVERLAP_POLICY } from './overlap-policy';
import { recorded } from './schedule.audit';
import type { NoteSchedules } from './schedule.events';
import type { ScheduleReads } from './schedule-reads';
import type { ScheduleRecord } from './schedule.model';
import { scheduleNotFound, scheduleRefusals, titleTaken, workflowMissing } from './schedule.rules';
import type { ScheduleChange } from './schedule.rules';

export interface ScheduleSavingDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly note: NoteSchedules;
  /** Time zone of schedules that specify none. */
  readonly timeZone: string;
  readonly schedules: Model<ScheduleRecord>;
  readonly reads: ScheduleReads;
  readonly workflows: Pick<WorkflowService, 'claimLasting'>;
}

export function createScheduleSaving({
  store,
  clock,
  audit,
  note,
  timeZone: ownZone,
  schedules,
  reads,
  workflows,
}: ScheduleSavingDependencies) {
  // Serialise: overlapping bulk changes would conflict and retry.
  const turns = createRecordTurns();

  const noteTaken = async (
    title: string,
    id: number | null,
    found: Findings,
    tx: Tx,
  ): Promise<void> => {
    if (await isTaken(schedules, { titleKey: fold(title) }, id, tx)) found.add(titleTaken(title));
  };

  const titled = <R>(title: string, work: (tx: Tx) => Promise<R>): Promise<R> =>
    uniquely(
      () => store.transaction(work),
      () => titleTaken(title),
    );

  /**
   * Writes the workflow, so that a concurrent deletion conflicts. Rejects the temporary workflow of
   * a test.
   */
  const claim = (id: number | undefined, found: Findings, tx: Tx) =>
    found.of(() => {
      if (id === undefined) throw workflowMissing();
      return workflows.claimLasting(id, tx, ['workflowId']);
    });

  const dueNext = ({
    enabled,
    cron,
    timeZone,
  }: Pick<ScheduleRecord, 'enabled' | 'cron' | 'timeZone'>): Date | null =>
    enabled ? nextFire(cron, timeZone, clock.now()) : null;

  /**
   * Applies a change. A schedule that is enabled again is due from now on: times while it was
   * disabled are left out.
   */
  async function change(
    actor: Actor,
    base: ScheduleRecord,
    set: Partial<ScheduleRecord>,
    tx: Tx,
  ): Promise<ScheduleRecord> {
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
      schedules,
      base._id,
      {
        ...set,
        ...(isTimed && { nextFireAt: dueNext(timing) }),
        updatedAt: clock.now(),
        updatedBy: authorOf(actor),
        version: base.version + 1,
      },
      tx,
    );
    await audit.record(
      actor,
      'schedule.update',
      { type: 'Schedule', id: base._id },
      recorded(base),
      recorded(after),
      tx,
    );
    note([base._id], tx);
    return after;
  }

  /** Increments `claims` and reports the schedules as changed. Returns how many of them exist. */
  async function writeClaims(ids: readonly number[], tx: Tx): Promise<number> {
    const { matchedCount } = await schedules.updateMany(
      { _id: { $in: [...ids] } },
      { $inc: { claims: 1 } },
      { session: tx.session },
    );
    note(ids, tx);
    return matchedCount;
  }

  return {
    /**
     * Writes a schedule that another record refers to, so that a concurrent deletion conflicts.
     * @throws NotFound SCHEDULER_NOT_FOUND
     */
    async claim(id: number, tx: Tx, path?: InputPath): Promise<void> {
      if ((await writeClaims([id], tx)) === 0) throw scheduleNotFound(id, path);
    },

    /**
     * Writes schedules that are no longer referred to, if they exist, so that subscribers are
     * notified.
     */
    async release(ids: readonly number[], tx: Tx): Promise<void> {
      if (ids.length > 0) await writeClaims(ids, tx);
    },

    /**
     * @throws BadInput if title, cron expression or time zone are invalid, or no workflow is given
     * @throws NotFound CONNECTION_NOT_FOUND
     * @throws Conflict TITLE_ALREADY_EXISTS
     */
    create: async (
      actor: Actor,
      {
        title: typed = null,
        workflowId,
        cron = NEVER,
        timeZone = ownZone,
        enabled = true,
        logging = false,
        missedFires = DEFAULT_MISSED_FIRES,
        overlapPolicy = DEFAULT_OVERLAP_POLICY,
      }: ScheduleChange,
    ): Promise<ScheduleRecord> => {
      const title = typed?.trim() ?? '';
      return titled(title, async (tx) => {
        const found = new Findings(
          scheduleRefusals(
            { title: typed, cron, timeZone },
            { timeZone, now: clock.now(), isNew: true },
          ),
        );
        await noteTaken(title, null, found, tx);
        const workflow = found.passed(await claim(workflowId, found, tx));
        const [id, now] = [await store.nextId('schedules', tx), clock.now()];
        const timing = { enabled, cron: tidyCron(cron), timeZone: zoneName(timeZone) };
        const record = await insertRecord<ScheduleRecord>(
          schedules,
          {
            _id: id,
            title,
            titleKey: fold(title),
            workflowId: workflow._id,
            ...timing,
            logging,
            missedFires,
            overlapPolicy,
            nextFireAt: dueNext(timing),
            lastRunId: null,
            lastDueRunId: null,
            lastSuccess: null,
            lastFailure: null,
            executions: 0,
            executionsMs: 0,
            createdAt: now,
            createdBy: authorOf(actor),
            updatedAt: now,
            updatedBy: authorOf(actor),
            version: 1,
          },
          tx,
        );
        await audit.record(
          actor,
          'schedule.create',
          { type: 'Schedule', id },
          null,
          recorded(record),
          tx,
        );
        note([id], tx);
        return record;
      });
    },

    /**
     * Changes the given fields.
     * @throws BadInput if title, cron expression or time zone are invalid
     * @throws NotFound SCHEDULER_NOT_FOUND, CONNECTION_NOT_FOUND
     * @throws Conflict TITLE_ALREADY_EXISTS; CONFLICT if the version is not the expected one
     */
    update: async (
      actor: Actor,
      id: number,
      asked: ScheduleChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<ScheduleRecord> =>
      titled(asked.title?.trim() ?? '', async (tx) => {
        const found = new Findings();
        const before = await found.of(() => reads.get(id, tx));
        if (before) found.ofSync(() => requireVersion('schedule', before, expectedVersion));
        const isNew = asked.cron !== undefined && tidyCron(asked.cron) !== before?.cron;
        found.add(
          ...scheduleRefusals(asked, {
            timeZone: asked.timeZone ?? before?.timeZone ?? ownZone,
            now: clock.now(),
            isNew,
          }),
        );
        const title =
          asked.title === undefined ? (before?.title ?? '') : (asked.title?.trim() ?? '');
        if (title !== before?.title) await noteTaken(title, id, found, tx);
        const { workflowId, cron, timeZone, enabled, logging, missedFires, overlapPolicy } = asked;
        if (workflowId !== undefined && workflowId !== before?.workflowId)
          await claim(workflowId, found, tx);
        const base = found.passed(before);
        return change(
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
      }),

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
      return turns.of('lists', () =>
        store.transaction(async (tx) => {
          const changed: ScheduleRecord[] = [];
          for (const record of await reads.everyOne(unique, placesIn(ids), tx)) {
            changed.push(
              record.enabled === enabled ? record : await change(actor, record, { enabled }, tx),
            );
          }
          return changed;
        }),
      );
    },
  };
}
