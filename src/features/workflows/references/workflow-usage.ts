import type { Model } from 'mongoose';
import type { Tx } from '../../../platform/store/store';
import { fold } from '../../../platform/text/fold';
import type { WorkflowRecord } from '../workflow.model';
import { isTemporaryTitleKey } from '../workflow.title';

/** Finds the workflows that use at least one of these things. */
export interface UsedThings {
  readonly connectorIds?: readonly number[];
  /** Names, compared without regard to case. */
  readonly invokers?: readonly string[];
  /** Folded names. */
  readonly secrets?: readonly string[];
  readonly aggregatorIds?: readonly number[];
  readonly categoryIds?: readonly number[];
}

export interface Usage {
  readonly workflowId: number;
  readonly title: string;
}

/**
 * The filter for rows that use one of these things; null if none is given. Callers add `test`, the
 * first field of every index.
 */
export function usingFilter({
  connectorIds = [],
  invokers = [],
  secrets = [],
  aggregatorIds = [],
  categoryIds = [],
}: UsedThings): Record<string, unknown> | null {
  const asked = [
    ['connectorIds', connectorIds],
    ['invokerKeys', invokers.map(fold)],
    ['secrets', secrets],
    ['aggregatorIds', aggregatorIds],
    ['categoryId', categoryIds],
  ] as const;
  const branches = asked
    .filter(([, values]) => values.length > 0)
    .map(([field, values]) => ({ [field]: { $in: [...values] } }));
  return branches.length === 0 ? null : { $or: branches };
}

export function createWorkflowUsage(workflows: Model<WorkflowRecord>) {
  return {
    /**
     * The saved workflows that use one of these things, by id, without temporary ones of test runs.
     */
    async using(things: UsedThings, tx?: Tx): Promise<Usage[]> {
      const filter = usingFilter(things);
      if (filter === null) return [];
      const rows = await workflows
        .find(
          { test: { $in: [false, true] }, ...filter },
          { title: 1, titleKey: 1 },
          { session: tx?.session },
        )
        .sort({ _id: 1 })
        .lean<Pick<WorkflowRecord, '_id' | 'title' | 'titleKey'>[]>();
      return rows
        .filter(({ titleKey }) => !isTemporaryTitleKey(titleKey))
        .map(({ _id, title }) => ({ workflowId: _id, title }));
    },
  };
}
