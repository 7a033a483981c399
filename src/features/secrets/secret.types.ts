import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdsInput,
  VersionedIdInput,
  deletedListType,
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { secretPolicy } from './secret.policy';
import { SECRET_LENGTHS } from './secret.rules';
import { inCharacters } from '../../platform/text/characters';

export const SecretViewerCan = viewerCanType('SecretViewerCan', secretPolicy);

@ObjectType('Secret', {
  implements: Node,
  description:
    'A value that steps use as `{%secret.NAME%}` in URLs, headers and bodies. The value itself is never returned.',
})
export class SecretType {
  @Field(() => String, { description: 'The name that steps use. Unique without regard to case.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'Description for users.' })
  readonly note!: string | null;

  @Field(() => [String], {
    description:
      'The origins that it may be sent to: `https://api.example.com`, or `https://*.example.com` for all hosts below.',
  })
  readonly origins!: readonly string[];

  @Field(() => Int, {
    description: 'Number of changes. Pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;
}

export const SecretConnection = ConnectionOf(SecretType, 'SecretConnection');

export const SecretPayload = payloadType(
  'SecretPayload',
  'secret',
  SecretType,
  'A secret that was created, changed or deleted.',
);
export const SecretsPayload = deletedListType('SecretsPayload', 'secrets', SecretType);

const NAME = `A letter, then letters, digits, - and _; at most ${inCharacters(SECRET_LENGTHS.name)}. Unique without regard to case.`;
const NOTE = `Description for users; at most ${inCharacters(SECRET_LENGTHS.note)}.`;
const ORIGINS =
  'The origins that it may be sent to, at least one: `http(s)://[*.]host[:port]` without a path. A leading `*.` matches all hosts below, but not the host itself; it must not be followed by a public suffix such as `com` or `github.io`.';
const FORCE =
  'Delete it even if workflows use it. The workflows are not changed; their runs fail with SECRET_NOT_FOUND.';

export const SecretCreateInput = inputType('SecretCreateInput', 'A new secret.', {
  name: [String, NAME],
  note: [optional(String), NOTE],
  value: [
    String,
    `The value, at most ${inCharacters(SECRET_LENGTHS.value)}. It is never returned.`,
  ],
  origins: [[String], ORIGINS],
});
export type SecretCreateInput = InstanceType<typeof SecretCreateInput>;

export const SecretUpdateInput = inputType(
  'SecretUpdateInput',
  'A change of a secret. Omitted fields keep their value.',
  {
    name: [optional(String), `${NAME} A secret that workflows use cannot be renamed.`],
    note: [optional(String), NOTE],
    value: [
      optional(String),
      `The new value, at most ${inCharacters(SECRET_LENGTHS.value)}. Runs that have started keep the previous value.`,
    ],
    origins: [optional([String]), `Replaces all origins. ${ORIGINS}`],
  },
  VersionedIdInput,
);
export type SecretUpdateInput = InstanceType<typeof SecretUpdateInput>;

export const SecretDeleteInput = inputType(
  'SecretDeleteInput',
  'A secret to delete.',
  { force: [Boolean, FORCE, false] },
  VersionedIdInput,
);
export type SecretDeleteInput = InstanceType<typeof SecretDeleteInput>;

export const SecretIdsInput = inputType(
  'SecretIdsInput',
  'Secrets to delete.',
  { force: [Boolean, FORCE, false] },
  IdsInput,
);
export type SecretIdsInput = InstanceType<typeof SecretIdsInput>;

const SecretFilter = filterType('SecretFilter', 'secrets', {
  id: [IdFilter, 'Ids of secrets.'],
  name: [NameFilter, 'The name.'],
});

const SecretOrder = orderType('SecretOrder', { ID: 'Id.', NAME: 'Name, without regard to case.' });

export const SecretsArgs = listArgs('secrets', SecretFilter, SecretOrder, 'by id');
