import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { Node } from '../../platform/graphql/node';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { secretPolicy } from './secret.policy';

export const SecretViewerCan = viewerCanType('SecretViewerCan', secretPolicy);

@ObjectType('Secret', {
  implements: Node,
  description:
    'A value that steps use as `{%secret.NAME%}` in URLs, headers and bodies. The value itself is never answered.',
})
export class SecretType {
  @Field(() => String, { description: 'What steps call it. Unique without regard to case.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'What it is for, for people.' })
  readonly note!: string | null;

  @Field(() => [String], {
    description:
      'Where it may be sent to: `https://api.example.com`, or `https://*.example.com` for all hosts below.',
  })
  readonly origins!: readonly string[];

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const SecretConnection = ConnectionOf(SecretType, 'SecretConnection');

@ObjectType({ description: 'A secret that was created, changed or deleted.' })
export class SecretPayload extends MutationPayload {
  @Field(() => SecretType, {
    nullable: true,
    description: 'The secret; null when nothing was changed.',
  })
  readonly secret!: SecretType | null;
}

@ObjectType({ description: 'Secrets that were deleted.' })
export class SecretsPayload extends ListPayload {
  @Field(() => [SecretType], {
    nullable: true,
    description: 'The secrets as they were; null when nothing was changed.',
  })
  readonly secrets!: SecretType[] | null;
}

@InputType({ description: 'Which secrets; all that are given must hold.' })
export class SecretFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These secrets, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => [SecretFilter], { nullable: true, description: ALL_OF })
  readonly and?: SecretFilter[];

  @Field(() => [SecretFilter], { nullable: true, description: ANY_OF })
  readonly or?: SecretFilter[];

  @Field(() => SecretFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const SecretOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(SecretOrderField, {
  name: 'SecretOrderField',
  description: 'What a list of secrets can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

export const SecretOrder = orderInput(SecretOrderField, 'SecretOrder');
export type SecretOrder = InstanceType<typeof SecretOrder>;
