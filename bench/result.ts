/** One figure of a benchmark. Targets are told beside the figure; a benchmark never fails on time. */
export interface BenchResult {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: string;
  readonly detail?: string;
}
