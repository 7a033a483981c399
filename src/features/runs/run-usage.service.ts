import type { Collection } from '../../platform/store/collection';
import type { Store } from '../../platform/store/store';
import { runCollection } from './run.model';
import type { RunRecord } from './run.model';

declare module '../../platform/context' {
  interface Services {
    runUsage: RunUsage;
  }
}

/** When runs were queued; null for no bound. */
export interface Period {
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
}

export type UsedRun = Pick<RunRecord, '_id' | 'queuedAt'>;

/** Counts and lists the stored runs of a workflow, without tests. An index serves each query. */
export class RunUsage {
  private readonly runs: Collection<RunRecord>;

  constructor(store: Store) {
    this.runs = runCollection(store);
  }

  async count(workflowId: number, period: Period): Promise<number> {
    return this.runs.count(filterOf(workflowId, period));
  }

  async list(
    workflowId: number,
    period: Period,
    page: { readonly skip: number; readonly limit: number; readonly direction: 1 | -1 },
  ): Promise<UsedRun[]> {
    return this.runs.find<UsedRun>(filterOf(workflowId, period), {
      fields: { queuedAt: 1 },
      sort: { queuedAt: page.direction, _id: page.direction },
      skip: page.skip,
      limit: page.limit,
    });
  }
}

const filterOf = (workflowId: number, { from, to }: Period) => ({
  test: false,
  workflowId,
  ...((from ?? to) && { queuedAt: { ...(from && { $gte: from }), ...(to && { $lt: to }) } }),
});
