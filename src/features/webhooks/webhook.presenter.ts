import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { Audience } from '../../platform/http/dialects/released-client';
import { AnswerId } from '../../platform/http/scalars';
import { WEBHOOK_CALLS } from '../../platform/secrets';
import type { ShownWebhook } from './webhook.model';

/** A webhook in the format of the released APIs. */
export const WebhookBody = z
  .object({
    webhookId: AnswerId,
    url: z.url().meta({
      description:
        'A GET or POST request to this URL starts the schedule. Keep it secret, like a password.',
    }),
    apiToken: z
      .object({ apiTokenId: AnswerId, name: z.string(), expiresAt: z.iso.datetime() })
      .nullable()
      .meta({
        description:
          'The API token it was created with: the webhook ends with it. Null if it was created in a session.',
      }),
  })
  .meta({ id: 'Webhook' });

/** @param baseUrl of the service, as `Origin` has it */
export const webhookUrl = (token: string, baseUrl: string): string =>
  `${baseUrl}/api${WEBHOOK_CALLS}${token}`;

/** REST presenters of webhooks; arguments: webhook, client. */
interface WebhookPresenters {
  readonly one: Presenter<[ShownWebhook, Audience]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly webhooks: WebhookPresenters;
  }
}

export const presentWebhook = (
  { _id, token, apiToken }: ShownWebhook,
  baseUrl: string,
): z.output<typeof WebhookBody> => ({
  webhookId: _id,
  url: webhookUrl(token, baseUrl),
  apiToken: apiToken && {
    apiTokenId: apiToken.id,
    name: apiToken.name,
    expiresAt: apiToken.expiresAt.toISOString(),
  },
});

export const documentedWebhooks: WebhookPresenters = {
  one: presenter(WebhookBody, (webhook: ShownWebhook, { baseUrl }: Audience) =>
    presentWebhook(webhook, baseUrl),
  ),
};

/** A webhook as the released clients read it. */
export const ReleasedWebhookBody = z
  .object({
    webhookId: AnswerId,
    url: z.string().meta({
      description:
        'A GET or POST request to it starts the schedule. For the 4.x client a URL, which it copies; for the 5.x client a path, which it appends to the address of the API.',
    }),
  })
  .meta({ id: 'ReleasedWebhook' });

export const presentReleasedWebhook = (
  { _id, token }: ShownWebhook,
  { baseUrl, client }: Audience,
): z.output<typeof ReleasedWebhookBody> => ({
  webhookId: _id,
  url: client() === '4.x' ? webhookUrl(token, baseUrl) : `${WEBHOOK_CALLS}${token}`,
});

export const releasedWebhooks: WebhookPresenters = {
  one: presenter(ReleasedWebhookBody, presentReleasedWebhook),
};
