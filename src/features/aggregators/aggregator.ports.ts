import type { Tx } from '../../platform/store/store';

export interface AggregatorUser {
  readonly workflowId: number;
  readonly title: string;
}

/**
 * Finds the workflows that use aggregators. A separate interface, because workflows depend on
 * aggregators too (`KnownAggregators`).
 */
export interface AggregatorUsers {
  using(
    things: { readonly aggregatorIds: readonly number[] },
    tx?: Tx,
  ): Promise<readonly AggregatorUser[]>;
}
