import { partOf, schemaOf } from '../../../platform/store/schema';
import type { Author } from '../workflow.model';

/** What a rule is written in: the values of the released API. */
export const RULE_TYPES = {
  regex: 'A regular expression of the RE2 syntax: what it matches in a text is hidden.',
  JSONPath: 'A path into JSON (RFC 9535): the values it selects are hidden.',
  XPath: 'A location path into XML (XPath 1.0): the text and attributes it selects are hidden.',
} as const;
export type RuleType = keyof typeof RULE_TYPES;

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
