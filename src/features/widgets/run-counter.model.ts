import { Schema } from 'mongoose';

/** How many runs ended, and how many of them badly: per workflow for all time, and per day over all workflows. */
export interface RunCounterRecord {
  /** `workflow/12` or `day/2026-05-04` */
  readonly _id: string;
  readonly kind: 'workflow' | 'day';
  readonly workflowId: number | null;
  readonly executions: number;
  readonly failures: number;
}

export const runCounterSchema = new Schema<RunCounterRecord>(
  {
    _id: { type: String, required: true },
    kind: { type: String, required: true },
    workflowId: { type: Number, default: null },
    executions: { type: Number, required: true },
    failures: { type: Number, required: true },
  },
  { versionKey: false },
);
runCounterSchema.index({ kind: 1, executions: -1, workflowId: 1 });
