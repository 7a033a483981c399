import type { Collection } from '../../../platform/store/collection';
import { schemaOf } from '../../../platform/store/schema';
import type { Store, Tx } from '../../../platform/store/store';

/** A sample that a user has pinned or typed: the answer of a step without a call. */
export interface SampleRecord {
  /** `<workflow id>/<step id>` */
  readonly _id: string;
  readonly workflowId: number;
  readonly stepId: string;
  readonly source: 'PINNED' | 'TYPED';
  /** Iterations of the loops around the step in which it was recorded. */
  readonly iteration: readonly number[];
  /** `Sample` of the engine as JSON, masked. */
  readonly json: string;
  readonly savedAt: Date;
}

const sampleSchema = schemaOf<SampleRecord>({
  _id: String,
  workflowId: Number,
  stepId: String,
  source: String,
  iteration: [Number],
  json: String,
  savedAt: Date,
});
sampleSchema.index({ workflowId: 1 });

/** The stored samples, without checks. Deleted with their workflow. */
export class SampleRecords {
  private readonly samples: Collection<SampleRecord>;

  constructor(store: Store) {
    this.samples = store.collection<SampleRecord>('StepSample', sampleSchema, 'step_samples');
  }

  of(workflowId: number): Promise<SampleRecord[]> {
    return this.samples.find({ workflowId });
  }

  async stepIds(workflowId: number, tx: Tx): Promise<string[]> {
    const rows = await this.samples.find<Pick<SampleRecord, 'stepId'>>(
      { workflowId },
      { tx, fields: { stepId: 1 } },
    );
    return rows.map(({ stepId }) => stepId);
  }

  /** Replaces the sample of the step. */
  async put(sample: Omit<SampleRecord, '_id'>, tx: Tx): Promise<void> {
    await this.remove(sample.workflowId, [sample.stepId], tx);
    await this.samples.insert({ _id: idOf(sample.workflowId, sample.stepId), ...sample }, tx);
  }

  /** Returns the number of deleted samples. */
  remove(workflowId: number, stepIds: readonly string[], tx: Tx): Promise<number> {
    const ids = stepIds.map((stepId) => idOf(workflowId, stepId));
    return this.samples.deleteMany({ _id: { $in: ids } }, tx);
  }

  async removeOf(workflowId: number, tx: Tx): Promise<void> {
    await this.samples.deleteMany({ workflowId }, tx);
  }
}

const idOf = (workflowId: number, stepId: string): string => `${workflowId}/${stepId}`;
