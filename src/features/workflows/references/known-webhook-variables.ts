import { LRUCache } from 'lru-cache';
import { inTurns } from '../../../platform/json/turns';
import type { WorkflowReading } from '../workflow-reading';
import { webhookVariables } from './webhook-variables';
import type { WebhookVariable } from './webhook-variables';

/** Contents whose variables are kept: those of the workflows that are called again and again. */
const KEPT = 200;

/**
 * Tells the variables of workflows, as they are by now.
 * @throws NotFound CONNECTION_NOT_FOUND
 */
export function createWebhookVariables({ get, getOriginal }: Pick<WorkflowReading, 'get' | 'getOriginal'>) {
  const known = new LRUCache<string, readonly WebhookVariable[]>({ max: KEPT });
  return async (workflowId: number): Promise<readonly WebhookVariable[]> => {
    const before = known.get((await get(workflowId)).content.id);
    if (before) return before;
    const { record, document } = await getOriginal(workflowId);
    const found = await inTurns((turn) => webhookVariables(document, turn));
    known.set(record.content.id, found);
    return found;
  };
}
