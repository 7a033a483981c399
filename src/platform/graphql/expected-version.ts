import { Field, InputType, Int } from 'type-graphql';

/** Base of the input of mutations that change or delete one record with a version. */
@InputType({ description: 'A change of a record with a version.' })
export abstract class VersionedInput {
  @Field(() => Int, {
    nullable: true,
    description:
      'Change or delete only this version; when somebody was faster, the answer is CONFLICT and nothing is changed.',
  })
  readonly expectedVersion?: number | null;
}
