import type { Collection } from '../../../platform/store/collection';
import { pagesOf } from '../../../platform/store/lists/pages-of';
import type { Page, PageRequest } from '../../../platform/store/lists/keyset';
import type { Store, Tx } from '../../../platform/store/store';
import type { RuleRecord } from './rule.model';
import { ruleSchema } from './rule.model';

/** The stored masking rules, without checks. A workflow has few, so they are read together. */
export class MaskingRuleRecords {
  private readonly rules: Collection<RuleRecord>;

  constructor(store: Store) {
    this.rules = store.collection<RuleRecord>('MaskingRule', ruleSchema, 'masking_rules');
  }

  async of(workflowId: number, tx?: Tx): Promise<RuleRecord[]> {
    return this.rules.find({ workflowId }, { tx, sort: { _id: 1 } });
  }

  async byId(id: number, tx?: Tx): Promise<RuleRecord | null> {
    return this.rules.byId(id, tx);
  }

  /** Rules by id, in the given order; null where there is none. */
  byIds(ids: readonly number[]): Promise<(RuleRecord | null)[]> {
    return this.rules.byIds(ids);
  }

  /** One page of rules per workflow, oldest first. */
  pages(workflowIds: readonly number[], page: PageRequest): Promise<Page<RuleRecord>[]> {
    return pagesOf(this.rules, 'workflowId', workflowIds, {
      ...page,
      orderBy: [{ field: '_id', direction: 'asc' }],
    });
  }

  async insert(rows: readonly RuleRecord[], tx: Tx): Promise<void> {
    if (rows.length > 0) await this.rules.insertMany(rows, tx);
  }

  change(id: number, set: Partial<RuleRecord>, tx: Tx): Promise<RuleRecord> {
    return this.rules.change(id, set, tx);
  }

  async remove(id: number, tx: Tx): Promise<void> {
    await this.rules.deleteOne({ _id: id }, tx);
  }

  async removeOf(workflowId: number, tx: Tx): Promise<void> {
    await this.rules.deleteMany({ workflowId }, tx);
  }
}
