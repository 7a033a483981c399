import { Field, ObjectType } from 'type-graphql';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { InvokerType } from './invoker.types';

@ObjectType({ description: 'An invoker that was deleted.' })
export class InvokerPayload extends MutationPayload {
  @Field(() => InvokerType, {
    nullable: true,
    description: 'The invoker as it was; null when nothing was changed.',
  })
  readonly invoker!: InvokerType | null;
}

@ObjectType({ description: 'Invokers that were deleted.' })
export class InvokersPayload extends ListPayload {
  @Field(() => [InvokerType], {
    nullable: true,
    description: 'The invokers as they were; null when nothing was changed.',
  })
  readonly invokers!: InvokerType[] | null;
}
