import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { enumOf } from '../../platform/graphql/schema/enums';
import { enumFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import {
  filterType,
  IdInput,
  listArgs,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { CHANNELS, DELIVERY_ERRORS, DELIVERY_STATES, PURPOSES } from './delivery.events';
import type { Channel, DeliveryErrorCode, DeliveryState, Purpose } from './delivery.events';

export const ChannelEnum = enumOf(CHANNELS, 'MessageChannel', 'How a message is sent.');
const StateEnum = enumOf(DELIVERY_STATES, 'DeliveryState', 'Whether a message was sent.');
const PurposeEnum = enumOf(PURPOSES, 'DeliveryPurpose', 'Why a message is sent.');
const ErrorEnum = enumOf(DELIVERY_ERRORS, 'DeliveryErrorCode', 'Why a message was not sent.');

@ObjectType({ description: 'Why an attempt to send a message failed.' })
export class DeliveryError {
  @Field(() => ErrorEnum, { description: 'For programs.' })
  readonly code!: DeliveryErrorCode;

  @Field(() => String, { description: 'For people.' })
  readonly message!: string;
}

@ObjectType('Delivery', {
  implements: Node,
  description: 'A message that was sent, failed, or waits.',
})
class DeliveryType {
  readonly _id!: number;

  @Field(() => ChannelEnum, { description: 'How it is sent.' })
  readonly channel!: Channel;

  @Field(() => PurposeEnum, { description: 'Why it is sent.' })
  readonly purpose!: Purpose;

  @Field(() => String, { description: 'An e-mail address, or the origin of a webhook.' })
  readonly recipient!: string;

  @Field(() => String, { description: 'The subject.' })
  readonly subject!: string;

  @Field(() => StateEnum, { description: 'Whether it was sent.' })
  readonly state!: DeliveryState;

  @Field(() => Int, { description: 'Number of attempts.' })
  readonly attempts!: number;

  @Field(() => DeliveryError, {
    nullable: true,
    description: 'Why the last attempt failed; null if none did.',
  })
  readonly error!: DeliveryError | null;

  @Field(() => DateTime, { description: 'When it was queued.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it is tried next; null at the end.' })
  readonly nextAttemptAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it was sent or given up.' })
  readonly finishedAt!: Date | null;
}

export const DeliveryConnection = ConnectionOf(DeliveryType, 'DeliveryConnection');

export const DeliveryPayload = payloadType(
  'DeliveryPayload',
  'delivery',
  DeliveryType,
  'A message that is sent.',
  'Null if nothing was changed.',
);

@InputType({ description: 'The message to send again.' })
export class DeliveryRetryInput extends IdInput {}

export const MailTestInput = inputType('MailTestInput', 'A mail to test the mail server.', {
  recipient: [optional(String), 'An e-mail address. Default: that of the signed-in user.'],
});
export type MailTestInput = InstanceType<typeof MailTestInput>;

export const ChannelFilter = enumFilter(ChannelEnum, 'MessageChannel');

const DeliveryFilter = filterType('DeliveryFilter', 'messages', {
  state: [enumFilter(StateEnum, 'DeliveryState'), 'The state.'],
  channel: [ChannelFilter, 'How it is sent.'],
  purpose: [enumFilter(PurposeEnum, 'DeliveryPurpose'), 'Why it is sent.'],
});

const DeliveryOrder = orderInput(
  enumOf(
    { CREATED_AT: 'When it was queued.' },
    'DeliveryOrderField',
    'Fields that messages can be ordered by.',
  ),
  'DeliveryOrder',
);

export const DeliveriesArgs = listArgs('messages', DeliveryFilter, DeliveryOrder, 'newest first');
