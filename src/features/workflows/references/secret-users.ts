import type { Model } from 'mongoose';
import type { WorkflowRecord } from '../workflow.model';
import { rowsNaming } from './rows-naming';
import type { Usage } from './workflow-usage';

/** Finds the workflows that use secrets, without reading documents. Unused secrets are missing. */
export function createSecretUsers(workflows: Model<WorkflowRecord>) {
  /** The saved workflows that use each of these secrets, by folded name, in one query. */
  const workflowsOfSecrets = (keys: readonly string[]): Promise<Map<string, WorkflowRecord[]>> =>
    rowsNaming(workflows, 'secrets', keys);

  return {
    workflowsOfSecrets,

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
