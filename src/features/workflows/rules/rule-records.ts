import type { Model } from 'mongoose';
import { changeRecord, recordById, recordsByIds } from '../../../platform/store/records';
import { pagesOf } from '../../../platform/store/pages-of';
import type { Page, PageRequest } from '../../../platform/store/keyset';
import type { Store, Tx } from '../../../platform/store/store';
import type { RuleRecord } from './rule.model';
import { ruleSchema } from './rule.model';

/** The stored masking rules, without checks. A workflow has few, so they are read together. */
export class MaskingRuleRecords {
  private readonly rules: Model<RuleRecord>;

  constructor(store: Store) {
    this.rules = store.model<RuleRecord>('MaskingRule', ruleSchema, 'masking_rules');
  }

  async of(workflowId: number, tx?: Tx): Promise<RuleRecord[]> {
    return this.rules
      .find({ workflowId }, null, { session: tx?.session })
      .sort({ _id: 1 })
      .lean<RuleRecord[]>();
  }

  async byId(id: number, tx?: Tx): Promise<RuleRecord | null> {
    return recordById(this.rules, id, tx);
  }

  /** Rules by id, in the given order; null where there is none. */
  byIds(ids: readonly number[]): Promise<(RuleRecord | null)[]> {
    return recordsByIds(this.rules, ids);
  }

  /** One page of rules per workflow, oldest first. */
  pages(workflowIds: readonly number[], page: PageRequest): Promise<Page<RuleRecord>[]> {
    return pagesOf(this.rules, 'workflowId', workflowIds, {
      ...page,
      orderBy: [{ field: '_id', direction: 'asc' }],
    });
  }

  async insert(rows: readonly RuleRecord[], tx: Tx): Promise<void> {
    if (rows.length > 0) await this.rules.insertMany(rows, { session: tx.session });
  }

  change(id: number, set: Partial<RuleRecord>, tx: Tx): Promise<RuleRecord> {
    return changeRecord(this.rules, id, set, tx);
  }

  async remove(id: number, tx: Tx): Promise<void> {
    await this.rules.deleteOne({ _id: id }, { session: tx.session });
  }

  async removeOf(workflowId: number, tx: Tx): Promise<void> {
    await this.rules.deleteMany({ workflowId }, { session: tx.session });
  }
}
