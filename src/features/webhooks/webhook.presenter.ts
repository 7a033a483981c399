import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { WebhookRecord } from './webhook.model';
import { WebhookBody } from './webhook.schema';
import { webhookUrl } from './webhook-url';

/** REST presenters of webhooks; arguments: record, token, base URL of the service. */
export interface WebhookPresenters {
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
