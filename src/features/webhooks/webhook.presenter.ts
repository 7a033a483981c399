import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import { WEBHOOK_CALLS } from '../../platform/secrets';
import type { WebhookRecord } from './webhook.model';

/** A webhook in the format of the released APIs. */
export const WebhookBody = z
  .object({
    webhookId: AnswerId,
    url: z.url().meta({
      description:
        'A GET or POST request to this URL starts the schedule. Keep it secret, like a password.',
    }),
  })
  .meta({ id: 'Webhook' });

/** @param baseUrl of the service, as `Origin` has it */
export const webhookUrl = (token: string, baseUrl: string): string =>
  `${baseUrl}/api${WEBHOOK_CALLS}${token}`;

/** REST presenters of webhooks; arguments: record, token, base URL of the service. */
interface WebhookPresenters {
  readonly one: Presenter<[WebhookRecord, string, string]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly webhooks: WebhookPresenters;
  }
}

export const presentWebhook = (
  { _id }: Pick<WebhookRecord, '_id'>,
  token: string,
  baseUrl: string,
): z.output<typeof WebhookBody> => ({ webhookId: _id, url: webhookUrl(token, baseUrl) });

export const documentedWebhooks: WebhookPresenters = {
  one: presenter(WebhookBody, presentWebhook),
};
