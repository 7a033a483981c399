import type { Tx } from '../../platform/store/store';

/** A workflow with a method that names an aggregator. */
export interface AggregatorUser {
  readonly workflowId: number;
  readonly title: string;
}

/** The workflows whose methods name aggregators. A small interface: workflows ask aggregators in their turn (`KnownAggregators`). */
export interface AggregatorUsers {
  using(
    things: { readonly aggregatorIds: readonly number[] },
    tx?: Tx,
  ): Promise<readonly AggregatorUser[]>;
}
