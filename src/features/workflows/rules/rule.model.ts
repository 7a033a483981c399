import { partOf, schemaOf } from '../../../platform/store/schema';
import type { Author } from '../workflow.model';
import type { RuleType } from './rule-expression';

/**
 * A rule that masks the logs of a workflow before they are returned, in addition to the built-in
 * masking.
 */
export interface RuleRecord {
  readonly _id: number;
  readonly workflowId: number;
  readonly type: RuleType;
  readonly expression: string;
  /** Incremented by each change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: Date;
  readonly createdBy: Author;
  readonly updatedAt: Date;
  readonly updatedBy: Author;
}

const author = partOf<Author>({ userId: Number, email: String });

export const ruleSchema = schemaOf<RuleRecord>({
  _id: Number,
  workflowId: Number,
  type: String,
  expression: String,
  version: Number,
  createdAt: Date,
  createdBy: author,
  updatedAt: Date,
  updatedBy: author,
});
ruleSchema.index({ workflowId: 1, _id: 1 });
