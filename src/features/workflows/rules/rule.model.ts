import { partOf, schemaOf } from '../../../platform/store/schema';
import type { Author } from '../workflow.model';
import type { RuleType } from './rule-kinds';

/** A rule by which logs of a workflow are masked before they are handed on, beside what is masked always. */
export interface RuleRecord {
  readonly _id: number;
  readonly workflowId: number;
  readonly type: RuleType;
  readonly expression: string;
  /** Counts changes, for optimistic locking. */
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
