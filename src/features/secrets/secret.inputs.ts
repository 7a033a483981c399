import { Field, ID, InputType } from 'type-graphql';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';

const NAME =
  'A letter, then letters, digits, - and _; 64 characters at most. Unique without regard to case.';
const NOTE = 'What it is for, for people; 1,000 characters at most.';
const ORIGINS =
  'Where it may be sent to, at least one: `http(s)://[*.]host[:port]` without a path. A leading `*.` takes all hosts below, and not the host itself; it may not stand before a public suffix such as `com` or `github.io`.';
const FORCE =
  'True: also when workflows use it. They stay as they are, and their runs end with SECRET_NOT_FOUND where they use it.';

@InputType({ description: 'A new secret.' })
export class SecretCreateInput {
  @Field(() => String, { description: NAME })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: NOTE })
  readonly note?: string | null;

  @Field(() => String, {
    description: 'The secret itself, 8,192 characters at most. It is never answered.',
  })
  readonly value!: string;

  @Field(() => [String], { description: ORIGINS })
  readonly origins!: string[];
}

@InputType({ description: 'A change of a secret; what is left out stays as it is.' })
export class SecretUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'Which secret: global id or integer.' })
  readonly id!: string;

  @Field(() => String, {
    nullable: true,
    description: `${NAME} One that workflows use keeps its name.`,
  })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: NOTE })
  readonly note?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Another value, 8,192 characters at most. Runs that have begun go on with the value they began with.',
  })
  readonly value?: string | null;

  @Field(() => [String], { nullable: true, description: `Replaces the others. ${ORIGINS}` })
  readonly origins?: string[] | null;
}

@InputType({ description: 'Which secret to delete.' })
export class SecretDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@InputType({ description: 'Which secrets to delete.' })
export class SecretIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}
