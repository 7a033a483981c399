import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { createAggregatorDeletion } from './aggregator-deletion';
import { createAggregatorReads } from './aggregator-reads';
import { createAggregatorSaving } from './aggregator-saving';
import { aggregatorModel } from './aggregator.model';
import type { AggregatorUsers } from './aggregator.ports';
import type { RunAggregators } from '../../engine';
import type { AggregatorReads } from './aggregator-reads';

/** The aggregators for a run, in their state at its start. */
function createRunAggregators({ byIds }: Pick<AggregatorReads, 'byIds'>) {
  return {
    /** The existing aggregators, by id; null if archived. */
    async open(ids: readonly number[]): Promise<RunAggregators> {
      if (ids.length === 0) return new Map();
      const found = (await byIds(ids)).filter((record) => record !== null);
      return new Map(
        found.map(({ _id, name, script, args, active }) => [
          _id,
          active
            ? { name, script, args: args.map(({ id, name: argument }) => ({ id, name: argument })) }
            : null,
        ]),
      );
    },
  };
}

declare module '../../platform/context' {
  interface Services {
    aggregators: AggregatorService;
  }
}

export interface AggregatorDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly workflows: AggregatorUsers;
}

export type AggregatorService = ReturnType<typeof createAggregatorService>;

/**
 * Data aggregators: scripts that compute values from the responses of a run's methods. One file per
 * use case.
 */
export function createAggregatorService({ store, audit, workflows }: AggregatorDependencies) {
  const aggregators = aggregatorModel(store);
  const reads = createAggregatorReads(aggregators);
  return {
    ...reads,
    ...createAggregatorSaving({ store, audit, aggregators, reads }),
    ...createAggregatorDeletion({ store, audit, aggregators, reads, workflows }),
    forRuns: createRunAggregators(reads),
  };
}
