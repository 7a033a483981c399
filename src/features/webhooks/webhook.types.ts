import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { Node } from '../../platform/graphql/schema/node';
import { inputType } from '../../platform/graphql/schema/input-type';
import { IdInput, payloadType } from '../../platform/graphql/schema/record-types';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { Author } from '../workflows/workflow.types';

@ObjectType({ description: 'The API token that a webhook was created with.' })
export class WebhookApiToken {
  @Field(() => Int, { name: 'apiTokenId', description: 'Id. Not a global id.' })
  readonly id!: number;

  @Field(() => String, { description: 'What it is for, as its owner named it.' })
  readonly name!: string;

  @Field(() => DateTime, { description: 'When it expires, and the webhook with it.' })
  readonly expiresAt!: Date;
}

@ObjectType({ implements: Node, description: 'Starts a schedule when its URL is called.' })
export class Webhook {
  readonly _id!: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  readonly createdAt!: Date;

  @Field(() => Author, {
    description: 'Who created it. When this user is deleted, so is the webhook.',
  })
  readonly createdBy!: Author;
}

export const WebhookPayload = payloadType(
  'WebhookPayload',
  'webhook',
  Webhook,
  'A webhook that was created or revoked.',
);

export const WebhookCreateInput = inputType('WebhookCreateInput', 'A new webhook.', {
  scheduleId: [ID, 'The schedule that it starts: global id or integer.'],
});
export type WebhookCreateInput = InstanceType<typeof WebhookCreateInput>;

@InputType({ description: 'Which webhook.' })
export class WebhookDeleteInput extends IdInput {}
