import { z } from 'zod';
import { WEBHOOK_TYPES } from '../../engine';
import type { Services } from '../../platform/context';
import { Forbidden } from '../../platform/errors/errors';
import type { Presenters } from '../../platform/http/presenters';
import type { Route, RouteRequest } from '../../platform/http/route';
import { Reply, routesTagged } from '../../platform/http/route';
import { IdParams, PathId } from '../../platform/http/scalars';
import { readCallBody } from './call-body';
import { callParameters } from './call-parameters';
import type { CallQuery } from './call-parameters';
import { webhookPolicy } from './webhook.policy';

const route = routesTagged('Webhooks');

const TokenParams = z.object({
  token: z.string().meta({ description: 'The last part of the URL of the webhook.' }),
});
const OwnerParams = z.object({ userId: PathId, schedulerId: PathId });
const Query = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const DESCRIPTION =
  'Starts the schedule, even if it is disabled, and returns as soon as its run is queued. A value `[a,b]` is a list.';
const CALL = {
  needs: 'public',
  params: TokenParams,
  query: Query,
  errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_PARAMETER_INVALID', 'TOO_MANY_CALLS'],
} as const;

const FieldsBody = z.record(z.string(), z.string());
/** Any JSON; a value that is not an object becomes the parameter `body`. */
const BODIES = {
  'application/json': z
    .unknown()
    .meta({ description: 'A value that is not an object becomes the parameter `body`.' }),
  'application/x-www-form-urlencoded': FieldsBody,
  'multipart/form-data': FieldsBody,
  'application/xml': z
    .string()
    .meta({ description: 'The root element becomes the parameter of the same name.' }),
};

type Call = Pick<
  RouteRequest<{ token: string }, CallQuery, unknown>,
  'params' | 'query' | 'sent' | 'origin'
>;

const webhookRouteContext = (
  { webhooks, webhookCalls }: Pick<Services, 'webhooks' | 'webhookCalls'>,
  { webhooks: shown }: Presenters,
) => {
  const admit = ({ token }: { token: string }, { network }: Call['origin']): Promise<void> =>
    webhookCalls.admit(token, network);
  const handle = async ({ params, query, sent, origin }: Call): Promise<void> => {
    const parameters = callParameters(
      query,
      sent ? await readCallBody(sent.bytes, sent.contentType) : null,
    );
    await webhookCalls.call(params.token, parameters, webhookCalls.callerOf(origin));
  };
  return { admit, handle, shown, webhooks };
};
type WebhookRouteContext = ReturnType<typeof webhookRouteContext>;

const getWebhookExecuteByToken = ({ admit, handle }: WebhookRouteContext): Route =>
  route('GET /webhook/execute/:token', {
    ...CALL,
    changesOnGet: true,
    headOnlyAdmits: true,
    admit,
    handle,
    summary: 'Starts the schedule of a webhook',
    description: `${DESCRIPTION} Query parameters are the values of \`\${name}\` in the workflow. HEAD starts nothing.`,
  });

const postWebhookExecuteByToken = ({ admit, handle }: WebhookRouteContext): Route =>
  route('POST /webhook/execute/:token', {
    ...CALL,
    bodies: BODIES,
    bodyLimit: 'json',
    example: { body: { name: 'Ann', count: 3 } },
    admit,
    handle,
    summary: 'Starts the schedule of a webhook',
    description: `${DESCRIPTION} Query parameters and fields of the body are the values of \`\${name}\` in the workflow; the query wins. The body may be compressed with gzip, deflate or br.`,
  });

const getWebhookHealth = (): Route =>
  route('GET /webhook/health', {
    needs: 'public',
    summary: 'Whether webhooks are served',
    probe: true,
    cannotFailWith: ['INTERNAL_SERVER_ERROR'],
    handle: () => Promise.resolve(),
  });

const getWebhookSupportedTypes = (): Route =>
  route('GET /webhook/supported/types', {
    needs: 'authenticated',
    summary: 'The types of webhook parameters',
    answer: z.array(z.enum(WEBHOOK_TYPES)),
    handle: () => Promise.resolve(WEBHOOK_TYPES),
  });

const getWebhookUrlBySchedulerId = ({ shown, webhooks }: WebhookRouteContext): Route =>
  route('GET /webhook/url/:userId/:schedulerId', {
    needs: webhookPolicy.create,
    success: 201,
    changesOnGet: true,
    params: OwnerParams,
    answer: shown.one.answer,
    summary: 'Creates the webhook of a schedule',
    description:
      'In your own name: when you are deleted, so is the webhook. One that is created with an API token ends with the token.',
    errors: ['SCHEDULER_NOT_FOUND', 'SCHEDULER_HAS_WEBHOOK'],
    sentAs: [[['scheduleId'], ['schedulerId']]],
    async handle({ actor, params: { userId, schedulerId }, origin, audience }) {
      if (userId !== actor.userId)
        throw new Forbidden('You can create webhooks only in your own name.');
      const record = await webhooks.create(actor, schedulerId);
      return new Reply(shown.one(await webhooks.shown(record), audience), {
        Location: `${origin.baseUrl}/api/scheduler/${schedulerId}`,
      });
    },
  });

const deleteWebhookById = ({ webhooks }: WebhookRouteContext): Route =>
  route('DELETE /webhook/:id', {
    needs: webhookPolicy.delete,
    success: 204,
    params: IdParams,
    summary: 'Revokes a webhook',
    description: 'Succeeds if it does not exist.',
    handle: async ({ actor, params }) => void (await webhooks.remove(actor, params.id)),
  });

/** REST routes of webhooks, at the paths of the released APIs. */
export const webhookRoutes = (
  services: Pick<Services, 'webhooks' | 'webhookCalls'>,
  presenters: Presenters,
): Route[] => {
  const context = webhookRouteContext(services, presenters);
  return [
    getWebhookExecuteByToken,
    postWebhookExecuteByToken,
    getWebhookHealth,
    getWebhookSupportedTypes,
    getWebhookUrlBySchedulerId,
    deleteWebhookById,
  ].map((create) => create(context));
};
