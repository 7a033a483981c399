import { z } from 'zod';
import { AnswerId } from '../../platform/http/scalars';

/** A webhook in the format of the released APIs. */
export const WebhookBody = z
  .object({
    webhookId: AnswerId,
    url: z.url().meta({
      description:
        'Whoever calls it, with GET or POST, starts the schedule. Keep it as you would a password.',
    }),
  })
  .meta({ id: 'Webhook' });
