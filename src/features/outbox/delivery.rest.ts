import { z } from 'zod';
import type { Services } from '../../platform/context';
import { routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, IdParams, keysOf, optionalWholeNumberIn } from '../../platform/http/scalars';
import { CHANNELS, DELIVERY_ERRORS, DELIVERY_STATES, PURPOSES } from './delivery.events';
import type { DeliveryRecord } from './delivery.model';
import { deliveryPolicy } from './delivery.policy';

const MAX_LISTED = 1_000;

const time = z.string().meta({ format: 'date-time' });

const DeliveryBody = z
  .object({
    deliveryId: AnswerId,
    channel: z.enum(keysOf(CHANNELS)),
    purpose: z.enum(keysOf(PURPOSES)),
    recipient: z.string().meta({ description: 'An e-mail address, or the origin of a webhook.' }),
    subject: z.string(),
    state: z.enum(keysOf(DELIVERY_STATES)),
    attempts: z.int(),
    error: z
      .object({ code: z.enum(keysOf(DELIVERY_ERRORS)), message: z.string() })
      .nullable()
      .meta({ description: 'Why the last attempt failed.' }),
    schedulerId: AnswerId.nullable(),
    runId: AnswerId.nullable(),
    createdAt: time,
    nextAttemptAt: time.nullable(),
    finishedAt: time.nullable(),
  })
  .meta({ id: 'Delivery', description: 'A message that was sent, failed, or waits.' });

const TestMailInput = z
  .object({
    recipient: z
      .string()
      .nullish()
      .meta({ description: 'An e-mail address. Default: that of the signed-in user.' }),
  })
  .meta({ id: 'TestMail' });

const presentDelivery = (delivery: DeliveryRecord): z.output<typeof DeliveryBody> => ({
  deliveryId: delivery._id,
  channel: delivery.channel,
  purpose: delivery.purpose,
  recipient: delivery.recipient,
  subject: delivery.subject,
  state: delivery.state,
  attempts: delivery.attempts,
  error: delivery.error && { code: delivery.error.code, message: delivery.error.message },
  schedulerId: delivery.scheduleId ?? null,
  runId: delivery.runId ?? null,
  createdAt: delivery.createdAt.toISOString(),
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  finishedAt: delivery.finishedAt?.toISOString() ?? null,
});

const route = routesTagged('Messages');

export const deliveryRoutes = ({ deliveries }: Services): Route[] => [
  route('GET /delivery/all', {
    needs: deliveryPolicy.read,
    summary: 'List messages that were sent, failed, or wait, newest first',
    query: z.object({
      state: z.enum(keysOf(DELIVERY_STATES)).optional(),
      limit: optionalWholeNumberIn(1, MAX_LISTED, 100),
    }),
    answer: z.array(DeliveryBody),
    handle: async ({ query }) =>
      (await deliveries.newest(query.limit, query.state)).map(presentDelivery),
  }),
  route('POST /delivery/:id/retry', {
    needs: deliveryPolicy.retry,
    summary: 'Send a message again that was given up',
    params: IdParams,
    answer: DeliveryBody,
    errors: ['DELIVERY_NOT_FOUND', 'DELIVERY_NOT_FAILED'],
    handle: async ({ actor, params }) => presentDelivery(await deliveries.retry(actor, params.id)),
  }),
  route('POST /delivery/test', {
    needs: deliveryPolicy.test,
    summary: 'Send a mail to test the mail server',
    description:
      'The list of messages shows whether it was sent. It is given up after ten minutes.',
    body: TestMailInput,
    example: { body: { recipient: '' } },
    answer: DeliveryBody,
    errors: ['MAIL_NOT_CONFIGURED', 'RECIPIENT_INVALID'],
    handle: async ({ actor, body }) =>
      presentDelivery(await deliveries.sendTest(actor, body.recipient ?? undefined)),
  }),
];
