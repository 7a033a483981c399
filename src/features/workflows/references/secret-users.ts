import type { Model } from 'mongoose';
import type { WorkflowRecord } from '../workflow.model';
import { isTemporaryTitleKey } from '../workflow.title';
import type { Usage } from './workflow-usage';

/** Which workflows name which secrets, from their rows alone. Secrets that nobody names are missing. */
export function createSecretUsers(workflows: Model<WorkflowRecord>) {
  /** The saved workflows that name each of these secrets, by folded name: one read for all. */
  async function workflowsOfSecrets(keys: readonly string[]): Promise<Map<string, WorkflowRecord[]>> {
    const users = new Map<string, WorkflowRecord[]>();
    if (keys.length === 0) return users;
    const asked = new Set(keys);
    const rows = await workflows.find({ test: { $in: [false, true] }, secrets: { $in: [...keys] } }).sort({ _id: 1 }).lean<WorkflowRecord[]>();
    for (const row of rows.filter(({ titleKey }) => !isTemporaryTitleKey(titleKey))) {
      for (const key of row.secrets.filter((name) => asked.has(name))) users.set(key, [...(users.get(key) ?? []), row]);
    }
    return users;
  }

  return {
    workflowsOfSecrets,

    /** The same by id and title. */
    async usersOfSecrets(keys: readonly string[]): Promise<Map<string, Usage[]>> {
      const users = await workflowsOfSecrets(keys);
      return new Map([...users].map(([key, rows]) => [key, rows.map(({ _id, title }) => ({ workflowId: _id, title }))]));
    },
  };
}
