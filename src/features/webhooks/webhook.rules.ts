import { Conflict, NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';

/** The same error for a webhook that never existed, was revoked, or lost its schedule. */
export const webhookNotFound = (path?: InputPath): NotFound =>
  new NotFound('WEBHOOK_NOT_FOUND', 'There is no such webhook.', { path });

export const hasWebhook = (scheduleId: number): Conflict =>
  new Conflict(
    'SCHEDULER_HAS_WEBHOOK',
    `The schedule ${scheduleId} has a webhook already. Revoke it first.`,
    { path: ['scheduleId'] },
  );
