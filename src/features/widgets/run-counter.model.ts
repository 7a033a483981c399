import { orNull, schemaOf } from '../../platform/store/schema';

/**
 * Number of ended and of failed runs: per workflow for all time, and per day over all workflows.
 */
export interface RunCounterRecord {
  /** `workflow/12` or `day/2026-05-04` */
  readonly _id: string;
  /** `deleted`: that of a deleted workflow, which is not ranked. */
  readonly kind: 'workflow' | 'deleted' | 'day';
  readonly workflowId: number | null;
  readonly executions: number;
  readonly failures: number;
}

export const runCounterSchema = schemaOf<RunCounterRecord>({
  _id: String,
  kind: String,
  workflowId: orNull(Number),
  executions: Number,
  failures: Number,
});
runCounterSchema.index({ kind: 1, executions: -1, workflowId: 1 });
