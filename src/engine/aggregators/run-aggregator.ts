/** An aggregator as a run is given it. */
export interface RunAggregator {
  readonly name: string;
  /** JavaScript. */
  readonly script: string;
  /** The variables it leaves. */
  readonly args: readonly { readonly id: number; readonly name: string }[];
}

/** Those of a run, by id: null stands for one that is archived, which is not evaluated. */
export type RunAggregators = ReadonlyMap<number, RunAggregator | null>;

/** What an aggregator left of the calls of one method. */
export interface AggregatedValue {
  readonly aggregatorId: number;
  readonly argumentId: number;
  /** Of the argument, as it was then. */
  readonly name: string;
  readonly stepId: string | null;
  readonly index: string;
  /** JSON, secrets masked; never null. */
  readonly value: string;
}
