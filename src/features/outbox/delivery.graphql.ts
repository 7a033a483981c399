import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import type { Page } from '../../platform/store/lists/keyset';
import type { DeliveryRecord } from './delivery.model';
import { deliveryPolicy } from './delivery.policy';
import {
  DeliveriesArgs,
  DeliveryConnection,
  DeliveryPayload,
  DeliveryRetryInput,
  MailTestInput,
} from './delivery.types';

const FIELDS = { state: 'state', channel: 'channel', purpose: 'purpose' };
const ORDER = { CREATED_AT: 'createdAt' } as const;

@Resolver()
export class DeliveryResolver {
  @Query(() => DeliveryConnection, {
    description: 'Messages that were sent, failed, or wait; newest first.',
  })
  @Needs(deliveryPolicy.read)
  deliveries(
    @Args(() => DeliveriesArgs) args: InstanceType<typeof DeliveriesArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<DeliveryRecord>> {
    return services.deliveries.page(
      toPageQuery(args, FIELDS, ORDER, { field: 'createdAt', direction: 'desc' }),
    );
  }

  @Mutation(() => DeliveryPayload, {
    description:
      'Sends a mail to test the mail server. `deliveries` shows whether it was sent; it is given up after ten minutes.',
  })
  @Needs(deliveryPolicy.test)
  mailTest(
    @Arg('input', () => MailTestInput, { description: 'The recipient.' })
    { recipient }: MailTestInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('delivery', () => services.deliveries.sendTest(actor, recipient ?? undefined));
  }

  @Mutation(() => DeliveryPayload, { description: 'Sends a message again that was given up.' })
  @Needs(deliveryPolicy.retry)
  deliveryRetry(
    @Arg('input', () => DeliveryRetryInput, { description: 'The message.' })
    { id }: DeliveryRetryInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('delivery', (ids) => services.deliveries.retry(actor, ids.read('Delivery', id)));
  }
}

registerNode(
  'Delivery',
  (id, context) =>
    context
      .loader<number, DeliveryRecord>('deliveries', (ids) => context.services.deliveries.byIds(ids))
      .load(id),
  deliveryPolicy.read,
);
