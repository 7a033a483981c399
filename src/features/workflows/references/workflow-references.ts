import type { Collection } from '../../../platform/store/collection';
import type { Store, Tx } from '../../../platform/store/store';
import { fold } from '../../../platform/text/fold';
import type { WorkflowRecord } from '../workflow.model';
import { workflowCollection } from '../workflow.model';
import { isTemporaryTitleKey } from '../document/title';

declare module '../../../platform/context' {
  interface Services {
    workflowReferences: WorkflowReferences;
  }
}

/** Records that workflows may refer to. */
interface UsedThings {
  readonly connectorIds?: readonly number[];
  /** Names, compared without regard to case. */
  readonly invokers?: readonly string[];
  /** Folded names. */
  readonly secrets?: readonly string[];
  readonly aggregatorIds?: readonly number[];
  readonly categoryIds?: readonly number[];
}

/** A workflow that uses something. */
export interface Usage {
  readonly workflowId: number;
  readonly title: string;
}

/** Matches all workflows. Needed because `test` is the first field of every index. */
const ALL_KINDS = { test: { $in: [false, true] } };

/**
 * Finds the saved workflows that use other records, from their rows alone. Temporary workflows of
 * test runs are not included. Needs only the store, so that the features of those records can use
 * it although workflows depend on them.
 */
export class WorkflowReferences {
  private readonly workflows: Collection<WorkflowRecord>;

  constructor(store: Store) {
    this.workflows = workflowCollection(store);
  }

  /** Returns the workflows that use at least one of these records, by id. */
  async using(
    { connectorIds, invokers, secrets, aggregatorIds, categoryIds }: UsedThings,
    tx?: Tx,
  ): Promise<Usage[]> {
    const conditions = Object.entries({
      connectorIds,
      invokerKeys: invokers?.map(fold),
      secrets,
      aggregatorIds,
      categoryId: categoryIds,
    }).flatMap(([field, values = []]) =>
      values.length > 0 ? [{ [field]: { $in: [...values] } }] : [],
    );
    if (conditions.length === 0) return [];
    const rows = await this.workflows.find<Pick<WorkflowRecord, '_id' | 'title' | 'titleKey'>>(
      { ...ALL_KINDS, $or: conditions },
      { tx, fields: { title: 1, titleKey: 1 }, sort: { _id: 1 } },
    );
    return rows.filter(isLasting).map(usageOf);
  }

  /** Returns the workflows that use each of these secrets, by folded name. */
  bySecret(keys: readonly string[]): Promise<Map<string, WorkflowRecord[]>> {
    return this.byElement('secrets', keys);
  }

  /** Returns the workflows that use each of these aggregators. */
  byAggregator(ids: readonly number[]): Promise<Map<number, WorkflowRecord[]>> {
    return this.byElement('aggregatorIds', ids);
  }

  /** Like `bySecret`, with ids and titles only. */
  async usersOfSecrets(keys: readonly string[]): Promise<Map<string, Usage[]>> {
    const users = await this.bySecret(keys);
    return new Map([...users].map(([key, rows]) => [key, rows.map(usageOf)]));
  }

  /** Groups workflows by the elements of a list in their row; unused elements are missing. */
  private async byElement<E extends string | number>(
    field: 'secrets' | 'aggregatorIds',
    elements: readonly E[],
  ): Promise<Map<E, WorkflowRecord[]>> {
    const users = new Map<E, WorkflowRecord[]>();
    if (elements.length === 0) return users;
    const requested = new Set(elements);
    const rows = await this.workflows.find(
      { ...ALL_KINDS, [field]: { $in: [...elements] } },
      { sort: { _id: 1 } },
    );
    for (const row of rows.filter(isLasting)) {
      for (const element of (row[field] as readonly E[]).filter((one) => requested.has(one)))
        users.set(element, [...(users.get(element) ?? []), row]);
    }
    return users;
  }
}

const isLasting = ({ titleKey }: Pick<WorkflowRecord, 'titleKey'>): boolean =>
  !isTemporaryTitleKey(titleKey);

const usageOf = ({ _id, title }: Pick<WorkflowRecord, '_id' | 'title'>): Usage => ({
  workflowId: _id,
  title,
});
