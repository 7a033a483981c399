import type { Model, QueryFilter } from 'mongoose';
import type { WorkflowRecord } from '../workflow.model';
import { isTemporaryTitleKey } from '../workflow.title';

/** Fields of the row that are lists, with their element type. */
interface Named {
  readonly secrets: string;
  readonly aggregatorIds: number;
}

/**
 * The saved workflows that refer to each of these values, in one query. Unused values are missing
 * from the map, and temporary workflows of test runs are not included.
 */
export async function rowsNaming<F extends keyof Named>(
  workflows: Model<WorkflowRecord>,
  field: F,
  things: readonly Named[F][],
): Promise<Map<Named[F], WorkflowRecord[]>> {
  const users = new Map<Named[F], WorkflowRecord[]>();
  if (things.length === 0) return users;
  const asked = new Set(things);
  const rows = await workflows
    .find({
      test: { $in: [false, true] },
      [field]: { $in: [...things] },
    } as QueryFilter<WorkflowRecord>)
    .sort({ _id: 1 })
    .lean<WorkflowRecord[]>();
  for (const row of rows.filter(({ titleKey }) => !isTemporaryTitleKey(titleKey))) {
    for (const thing of (row[field] as readonly Named[F][]).filter((one) => asked.has(one)))
      users.set(thing, [...(users.get(thing) ?? []), row]);
  }
  return users;
}
