import { Field, ID, Int, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../platform/graphql/schema/payload';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { payloadType } from '../../platform/graphql/schema/record-types';
import { DateTime } from '../../platform/graphql/schema/scalars';

@ObjectType('ApiToken', {
  description:
    'A credential of a program: it has those of its scopes that the group of its owner grants.',
})
export class ApiTokenType {
  @Field(() => Int, { name: 'apiTokenId', description: 'Id. Not a global id.' })
  readonly id!: number;

  @Field(() => String, { description: 'What it is for, as its owner named it.' })
  readonly name!: string;

  @Field(() => String, { description: 'First characters of the token.' })
  readonly prefix!: string;

  @Field(() => [String], {
    description: '`component:action` such as `CONNECTION:READ`, or `admin`.',
  })
  readonly scopes!: readonly string[];

  @Field(() => DateTime, { description: 'When it was created.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When it expires.' })
  readonly expiresAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description: 'When it was last used, up to a minute behind; null if never.',
  })
  readonly lastUsedAt!: Date | null;

  @Field(() => String, {
    nullable: true,
    description: 'Network address of its last use; null if never used.',
  })
  readonly lastAddress!: string | null;
}

export const ApiTokenCreateInput = inputType(
  'ApiTokenCreateInput',
  'A new API token of the signed-in user.',
  {
    name: [String, 'What it is for; 1 to 100 characters.'],
    scopes: [
      [String],
      '`component:action` such as `CONNECTION:READ`, and `admin` for operations that only administrators may use. Only what the user may do too.',
    ],
    expiresInDays: [optional(Int), 'Days until it expires, 1 to 365. Default: 90.'],
  },
);
export type ApiTokenCreateInput = InstanceType<typeof ApiTokenCreateInput>;

@ObjectType({ description: 'An API token that was created.' })
export class ApiTokenCreatePayload extends MutationPayload {
  @Field(() => ApiTokenType, { nullable: true, description: 'Null if none was created.' })
  readonly apiToken!: ApiTokenType | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The token, shown only here. Send it as `Authorization: Bearer …` or in `connectionParams`.',
  })
  readonly token!: string | null;
}

export const ApiTokenRevokeInput = inputType('ApiTokenRevokeInput', 'The API token to revoke.', {
  id: [ID, '`apiTokenId` of the token.'],
});
export type ApiTokenRevokeInput = InstanceType<typeof ApiTokenRevokeInput>;

export const ApiTokenPayload = payloadType(
  'ApiTokenPayload',
  'apiToken',
  ApiTokenType,
  'An API token that was revoked.',
  'The token as it was; null if nothing was changed.',
);
