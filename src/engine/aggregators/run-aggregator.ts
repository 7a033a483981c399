/** An aggregator as passed to a run. */
export interface RunAggregator {
  readonly name: string;
  /** JavaScript. */
  readonly script: string;
  /** Variables that the script sets. */
  readonly args: readonly { readonly id: number; readonly name: string }[];
}

/** Aggregators of a run by id; null for an archived one, which is not evaluated. */
export type RunAggregators = ReadonlyMap<number, RunAggregator | null>;

/** Value of one aggregator variable for the calls of one method. */
export interface AggregatedValue {
  readonly aggregatorId: number;
  readonly argumentId: number;
  /** Name of the variable at the time of the run. */
  readonly name: string;
  readonly stepId: string | null;
  readonly index: string;
  /** JSON, secrets masked; never null. */
  readonly value: string;
}
