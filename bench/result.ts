/** What a figure should be. */
export type Target =
  { readonly atLeast: number } | { readonly below: number } | { readonly exactly: number };

/** One figure of a benchmark. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: Target;
  /**
   * A ratio of two concurrent measurements, or a count: it does not depend on the load of the machine, so a benchmark that misses it fails. Times,
   * rates and sizes are reported with their targets and never fail.
   */
  readonly judged?: true;
  readonly detail?: string;
}
