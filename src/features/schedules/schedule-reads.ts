import type { Model } from 'mongoose';
import { Findings } from '../../platform/errors/findings';
import type { InputPath } from '../../platform/errors/errors';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import type { PlaceOf } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import { titleSearch } from '../../platform/store/title-search';
import type { Page, PageQuery } from '../../platform/store/keyset';
import type { Tx } from '../../platform/store/store';
import type { ScheduleRecord } from './schedule.model';
import { scheduleNotFound } from './schedule.rules';

/** Schedules per batch, whose workflows are read together. */
const AT_ONCE = 50;

export type ScheduleReads = ReturnType<typeof createScheduleReads>;

export function createScheduleReads(schedules: Model<ScheduleRecord>) {
  const byId = (id: number, tx?: Tx): Promise<ScheduleRecord | null> =>
    schedules.findById(id, null, { session: tx?.session }).lean<ScheduleRecord>();

  /** In the order of the ids, null where there is none. */
  async function byIds(ids: readonly number[], tx?: Tx): Promise<(ScheduleRecord | null)[]> {
    return recordsByIds(schedules, ids, { tx });
  }

  return {
    byId,
    byIds,

    /** @throws NotFound SCHEDULER_NOT_FOUND */
    async get(id: number, tx?: Tx, path: InputPath = ['id']): Promise<ScheduleRecord> {
      const record = await byId(id, tx);
      if (!record) throw scheduleNotFound(id, path);
      return record;
    },

    /** @throws NotFound SCHEDULER_NOT_FOUND for each missing one */
    async everyOne(ids: readonly number[], place: PlaceOf, tx?: Tx): Promise<ScheduleRecord[]> {
      const found = new Findings();
      const records = (await byIds(ids, tx)).flatMap((record, at) => {
        const id = ids[at] ?? 0;
        if (!record) found.add(scheduleNotFound(id, place(id)));
        return record ?? [];
      });
      found.refuse();
      return records;
    },

    page: (query: PageQuery): Promise<Page<ScheduleRecord>> =>
      pageOf<ScheduleRecord>(schedules, query),

    /** The same page for each workflow. */
    pagesOfWorkflows: (
      workflowIds: readonly number[],
      query: PageQuery,
    ): Promise<Page<ScheduleRecord>[]> => pagesOf(schedules, 'workflowId', workflowIds, query),

    /** Searches by title. */
    searchTitles: titleSearch(schedules, { title: 'title', key: 'titleKey' }),

    /** All schedules by id, in batches. */
    batches: (): AsyncGenerator<ScheduleRecord[], void, void> =>
      everyRecord(schedules, {}, null, AT_ONCE),
  };
}
