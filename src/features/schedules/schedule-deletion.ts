import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
import { createRecordTurns } from '../../platform/store/record-turns';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { WebhookRecords } from '../webhooks/webhook-records';
import { recorded } from './schedule.audit';
import type { NoteSchedules } from './schedule.events';
import type { ScheduleReads } from './schedule-reads';
import type { ScheduleRecord } from './schedule.model';

export interface ScheduleDeletionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly note: NoteSchedules;
  readonly schedules: Model<ScheduleRecord>;
  readonly reads: ScheduleReads;
  readonly webhooks: Pick<WebhookRecords, 'removeOfSchedules'>;
}

/** Deletes schedules. Runs that they started continue, and are kept as any other. */
export function createScheduleDeletion({
  store,
  audit,
  note,
  schedules,
  reads,
  webhooks,
}: ScheduleDeletionDependencies) {
  // Serialise: overlapping bulk deletes would conflict and retry.
  const turns = createRecordTurns();

  async function removeEach(
    actor: Actor,
    records: readonly ScheduleRecord[],
    tx: Tx,
  ): Promise<void> {
    if (records.length === 0) return;
    const ids = records.map(({ _id }) => _id);
    await schedules.deleteMany({ _id: { $in: ids } }, { session: tx.session });
    await webhooks.removeOfSchedules(ids, tx);
    for (const record of records)
      await audit.record(
        actor,
        'schedule.delete',
        { type: 'Schedule', id: record._id },
        recorded(record),
        null,
        tx,
      );
    note(ids, tx);
  }

  const removeNamed = (
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected: ExpectedVersion,
  ): Promise<ScheduleRecord[]> =>
    store.transaction(async (tx) => {
      const records = await reads.everyOne(ids, place, tx);
      for (const record of records) requireVersion('schedule', record, expected);
      await removeEach(actor, records, tx);
      return records;
    });

  return {
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
      const [removed] = await removeNamed(actor, [id], THE_ID, expectedVersion);
      return removed ?? reads.get(id);
    },

    /**
     * Deletes schedules, all or none, and returns the deleted records.
     * @throws BadInput if there are too many
     * @throws NotFound SCHEDULER_NOT_FOUND for each unknown one
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<ScheduleRecord[]> {
      const unique = eachOnce(ids, 'schedules');
      return turns.of('lists', () => removeNamed(actor, unique, placesIn(ids), undefined));
    },

    /** Deletes the schedules of a workflow, in the transaction that deletes the workflow. */
    async removeOf(actor: Actor, workflowId: number, tx: Tx): Promise<void> {
      await removeEach(
        actor,
        await schedules
          .find({ workflowId }, null, { session: tx.session })
          .lean<ScheduleRecord[]>(),
        tx,
      );
    },
  };
}
