import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import type { RunEventFeed } from './run-event-feed';
import type { RunRecord } from './run.model';

export interface RunReadingDependencies {
  readonly runs: Model<RunRecord>;
  readonly feed: RunEventFeed;
  readonly get: (id: number) => Promise<RunRecord>;
}

/** Looks at runs and follows their events. */
export function createRunReading({ runs, feed, get }: RunReadingDependencies) {
  return {
    /** @throws NotFound EXECUTION_NOT_FOUND */
    get,

    /** By id, in the order asked for; null where there is none. */
    async byIds(ids: readonly number[]): Promise<(RunRecord | null)[]> {
      const found = await runs.find({ _id: { $in: ids } }).lean<RunRecord[]>();
      const known = new Map(found.map((run) => [run._id, run]));
      return ids.map((id) => known.get(id) ?? null);
    },

    /** Null when there is none. */
    async byId(id: number): Promise<RunRecord | null> {
      return runs.findById(id).lean<RunRecord>();
    },

    /** A page of runs, test runs only when asked for. */
    page(filter: Record<string, unknown>, page: PageRequest, more: { includeTest: boolean; orderBy: readonly Order[] }): Promise<Page<RunRecord>> {
      const hidden = more.includeTest ? [] : [{ test: false }];
      return pageOf(runs, { ...page, filter: { $and: [filter, ...hidden] }, orderBy: more.orderBy });
    },

    /** Runs that are no tests and go on now, the oldest first. */
    async running(limit: number): Promise<RunRecord[]> {
      return runs.find({ state: 'RUNNING', test: false }).sort({ _id: 1 }).limit(limit).lean<RunRecord[]>();
    },

    /**
     * The events of a run after a sequence, gapless and in order, until it has ended.
     * @throws NotFound EXECUTION_NOT_FOUND, for a test also when the run is none
     * @throws Refused  RUN_LOG_GONE
     */
    async events(id: number, afterSequence: number, signal: AbortSignal, { testsOnly = false } = {}): ReturnType<RunEventFeed['follow']> {
      if (testsOnly && !(await get(id)).test) throw new NotFound('EXECUTION_NOT_FOUND', `There is no test run ${id}.`, { path: ['runId'] });
      return feed.follow(id, afterSequence, signal);
    },
  };
}
