import { changeRecord, recordsByIds } from '../../../platform/store/records';
import { pagesOf } from '../../../platform/store/pages-of';
import type { Page, PageRequest } from '../../../platform/store/keyset';
import type { Store, Tx } from '../../../platform/store/store';
import type { RuleRecord } from './rule.model';
import { ruleSchema } from './rule.model';

export type RuleRows = ReturnType<typeof createRuleRows>;

/** The stored rules, without checks. A workflow has few, so they are read together. */
export function createRuleRows(store: Store) {
  const rules = store.model<RuleRecord>('MaskingRule', ruleSchema, 'masking_rules');
  return {
    of: (workflowId: number, tx?: Tx): Promise<RuleRecord[]> =>
      rules
        .find({ workflowId }, null, { session: tx?.session })
        .sort({ _id: 1 })
        .lean<RuleRecord[]>(),

    async byIds(ids: readonly number[]): Promise<(RuleRecord | null)[]> {
      return recordsByIds(rules, ids);
    },

    one: (id: number, tx?: Tx): Promise<RuleRecord | null> =>
      rules.findById(id, null, { session: tx?.session }).lean<RuleRecord>(),

    async insert(rows: readonly RuleRecord[], tx: Tx): Promise<void> {
      if (rows.length > 0) await rules.insertMany(rows, { session: tx.session });
    },

    change: (id: number, set: Partial<RuleRecord>, tx: Tx): Promise<RuleRecord> =>
      changeRecord(rules, id, set, tx),

    async remove(id: number, tx: Tx): Promise<void> {
      await rules.deleteOne({ _id: id }, { session: tx.session });
    },

    async removeOf(workflowId: number, tx: Tx): Promise<void> {
      await rules.deleteMany({ workflowId }, { session: tx.session });
    },

    pages: (workflowIds: readonly number[], page: PageRequest): Promise<Page<RuleRecord>[]> =>
      pagesOf(rules, 'workflowId', workflowIds, {
        ...page,
        orderBy: [{ field: '_id', direction: 'asc' }],
      }),
  };
}
