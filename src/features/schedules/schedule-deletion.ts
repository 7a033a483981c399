import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { eachOnce, placesIn, THE_ID } from '../../platform/store/all-or-none';
import type { PlaceOf } from '../../platform/store/all-or-none';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
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

/** Deleting schedules. Runs that they started go on, and are kept as any other. */
export function createScheduleDeletion({
  store,
  audit,
  note,
  schedules,
  reads,
  webhooks,
}: ScheduleDeletionDependencies) {
  // Two lists that overlap would make each other start again.
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
     * Deletes a schedule and answers it as it was.
     * @throws NotFound SCHEDULER_NOT_FOUND
     * @throws Conflict CONFLICT another version than expected
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
     * Deletes schedules, all or none, and answers them as they were.
     * @throws BadInput too many
     * @throws NotFound SCHEDULER_NOT_FOUND one of them is unknown
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<ScheduleRecord[]> {
      const unique = eachOnce(ids, 'schedules');
      return turns.of('lists', () => removeNamed(actor, unique, placesIn(ids), undefined));
    },

    /** With their workflow, in the transaction that deletes it. */
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
