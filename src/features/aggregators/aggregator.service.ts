import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { createAggregatorDeletion } from './aggregator-deletion';
import { createAggregatorReads } from './aggregator-reads';
import { createAggregatorSaving } from './aggregator-saving';
import { createRunAggregators } from './run-aggregators';
import { aggregatorModel } from './aggregator.model';
import type { AggregatorUsers } from './aggregator.ports';

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

/** Data aggregators: scripts that make values of what the methods of a run were answered. One file for each use case. */
export function createAggregatorService({ store, audit, workflows }: AggregatorDependencies) {
  const aggregators = aggregatorModel(store);
  const reads = createAggregatorReads(aggregators);
  return {
    ...reads,
    ...createAggregatorSaving({ store, audit, aggregators, reads }),
    ...createAggregatorDeletion({ store, audit, aggregators, reads, workflows }),
    /** For runs that evaluate them. */
    forRuns: createRunAggregators(reads),
  };
}
