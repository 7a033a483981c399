import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { Node } from '../../platform/graphql/node';
import { MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { Author } from '../workflows/workflow.types';

@ObjectType({ implements: Node, description: 'Starts a schedule for whoever calls its URL.' })
export class Webhook {
  readonly _id!: number;

  @Field(() => DateTime, { description: 'When it was made.' })
  readonly createdAt!: Date;

  @Field(() => Author, {
    description: 'Who made it: when he is deleted, it starts nothing any more.',
  })
  readonly createdBy!: Author;
}

@ObjectType({ description: 'A webhook that was made or revoked.' })
export class WebhookPayload extends MutationPayload {
  @Field(() => Webhook, {
    nullable: true,
    description: 'The webhook, a revoked one as it was; null when nothing was done.',
  })
  readonly webhook!: Webhook | null;
}

@InputType({ description: 'A new webhook.' })
export class WebhookCreateInput {
  @Field(() => ID, { description: 'The schedule that it starts: global id or integer.' })
  readonly scheduleId!: string;
}

@InputType({ description: 'Which webhook.' })
export class WebhookDeleteInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}
