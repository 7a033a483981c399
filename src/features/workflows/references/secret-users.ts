import type { Model } from 'mongoose';
import type { WorkflowRecord } from '../workflow.model';
import { rowsNaming } from './rows-naming';
import type { Usage } from './workflow-usage';

/** Which workflows name which secrets, from their rows alone. Secrets that nobody names are missing. */
export function createSecretUsers(workflows: Model<WorkflowRecord>) {
  /** The saved workflows that name each of these secrets, by folded name: one read for all. */
  const workflowsOfSecrets = (keys: readonly string[]): Promise<Map<string, WorkflowRecord[]>> =>
    rowsNaming(workflows, 'secrets', keys);

  return {
    workflowsOfSecrets,

    /** The same by id and title. */
    async usersOfSecrets(keys: readonly string[]): Promise<Map<string, Usage[]>> {
      const users = await workflowsOfSecrets(keys);
      return new Map(
        [...users].map(([key, rows]) => [
          key,
          rows.map(({ _id, title }) => ({ workflowId: _id, title })),
        ]),
      );
    },
  };
}
