import type { FileUpload } from 'graphql-upload-minimal';
import { Field, ID, InputType, Int } from 'type-graphql';
import type { InputPath } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import {
  DateTimeFilter,
  IdFilter,
  NameFilter,
  StringFilter,
} from '../../platform/graphql/schema/filters';
import { databaseId } from '../../platform/graphql/schema/ids';
import { Upload } from '../../platform/graphql/schema/scalars';
import {
  IdsInput,
  VersionedIdInput,
  filterType,
  listArgs,
  orderType,
  toPageQuery,
} from '../../platform/graphql/schema/record-types';
import type { PageQuery } from '../../platform/store/lists/keyset';
import { FIELD_NAMES, DUPLICATE_FIELDS } from './connector.rules';

const DESCRIPTION = 'Its purpose, at most 2,048 characters.';
const SSL_CERT = 'True disables the validation of certificates.';
const KEEP_COOKIES =
  'True: cookies that the remote system sets are sent with later calls of the same run.';
const TIMEOUT = 'Timeout of a call in milliseconds, at most one hour; 0 is the configured timeout.';

@InputType({ description: 'A field of the credentials.' })
export class ConnectorFieldInput {
  @Field(() => String, { description: "One of the names of the invoker's required data." })
  readonly name!: string;

  @Field(() => String, { description: 'The value. It is stored encrypted.' })
  readonly value!: string;
}

@InputType({ description: 'A new connector.' })
export class ConnectorCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, at most 255 characters.' })
  readonly title!: string;

  @Field(() => String, { nullable: true, description: DESCRIPTION })
  readonly description?: string | null;

  @Field(() => String, { description: 'Name of the invoker that describes the remote system.' })
  readonly invokerName!: string;

  @Field(() => Boolean, { defaultValue: false, description: SSL_CERT })
  readonly sslCert!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: KEEP_COOKIES })
  readonly keepCookies!: boolean;

  @Field(() => Int, { defaultValue: 0, description: TIMEOUT })
  readonly timeout!: number;

  @Field(() => [ConnectorFieldInput], {
    defaultValue: [],
    description: 'The credentials, each field once.',
  })
  readonly requestData!: ConnectorFieldInput[];
}

@InputType({
  description:
    'A change of a connector. Missing fields keep their values, also in the credentials.',
})
export class ConnectorUpdateInput extends VersionedIdInput {
  @Field(() => String, { nullable: true, description: 'The new title.' })
  readonly title?: string | null;

  @Field(() => String, { nullable: true, description: DESCRIPTION })
  readonly description?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the new invoker. A different invoker has different fields: the stored values are removed.',
  })
  readonly invokerName?: string | null;

  @Field(() => Boolean, { nullable: true, description: SSL_CERT })
  readonly sslCert?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: KEEP_COOKIES })
  readonly keepCookies?: boolean | null;

  @Field(() => Int, { nullable: true, description: TIMEOUT })
  readonly timeout?: number | null;

  @Field(() => [ConnectorFieldInput], {
    nullable: true,
    description: 'Credentials to change, each field once.',
  })
  readonly requestData?: ConnectorFieldInput[] | null;
}

@InputType({ description: 'A connector.' })
export class ConnectorIdInput extends VersionedIdInput {}

@InputType({ description: 'A connector to delete.' })
export class ConnectorDeleteInput extends ConnectorIdInput {
  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Deletes it even if workflows use it. Their `validation` then reports it as missing.',
  })
  readonly force!: boolean;
}

@InputType({ description: 'Connectors to delete.' })
export class ConnectorIdsInput extends IdsInput {
  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Deletes them even if workflows use them.',
  })
  readonly force!: boolean;
}

@InputType({ description: 'A new icon.' })
export class ConnectorIconUploadInput extends VersionedIdInput {
  @Field(() => Upload, {
    description: 'PNG, JPEG, GIF or WebP; the type is detected from the content.',
  })
  readonly file!: Promise<FileUpload>;
}

@InputType({
  description: 'Credentials to check: given ones, those of a stored connector, or some of both.',
})
export class ConnectorCheckInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'A stored connector, which provides what is missing; secrets only if every public field is as stored. Requires CONNECTOR:UPDATE.',
  })
  readonly id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the invoker. Optional for a stored connector.',
  })
  readonly invokerName?: string | null;

  @Field(() => Boolean, { nullable: true, description: SSL_CERT })
  readonly sslCert?: boolean | null;

  @Field(() => Int, { nullable: true, description: TIMEOUT })
  readonly timeout?: number | null;

  @Field(() => [ConnectorFieldInput], {
    defaultValue: [],
    description: 'Credentials, each field once. Missing fields have the defaults of the invoker.',
  })
  readonly requestData!: ConnectorFieldInput[];
}

/** Names in GraphQL inputs that differ from those of the service: fields are a list. */
export const toInputPaths = (fields: readonly ConnectorFieldInput[] = []): PathTable => [
  [['invoker'], ['invokerName']],
  [['connectorId'], ['id']],
  [
    [DUPLICATE_FIELDS, '*'],
    ['requestData', '*', 'name'],
  ],
  ...fields.flatMap(({ name }, at): (readonly [InputPath, InputPath])[] => [
    [
      ['requestData', name],
      ['requestData', at, 'value'],
    ],
    [
      [FIELD_NAMES, name],
      ['requestData', at, 'name'],
    ],
  ]),
];

const ConnectorFilter = filterType('ConnectorFilter', 'connectors', {
  id: [IdFilter, 'By id.'],
  title: [NameFilter, 'By title.'],
  invokerName: [StringFilter, 'By the name of the invoker, without regard to case.'],
  createdAt: [DateTimeFilter, 'By the time of creation.'],
  updatedAt: [DateTimeFilter, 'By the time of the last change.'],
});

const ConnectorOrder = orderType('ConnectorOrder', {
  ID: 'Id.',
  TITLE: 'Title, without regard to case.',
  CREATED_AT: 'Time of creation.',
  UPDATED_AT: 'Time of the last change.',
});
type ConnectorOrder = InstanceType<typeof ConnectorOrder>;

export const ConnectorsArgs = listArgs(
  'connectors',
  ConnectorFilter,
  ConnectorOrder,
  'by the field of a range filter if there is one, otherwise by id',
);

const ORDER = {
  ID: '_id',
  TITLE: 'titleKey',
  CREATED_AT: 'createdAt',
  UPDATED_AT: 'updatedAt',
} as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Connector') },
  title: { folded: 'titleKey' },
  invokerName: { folded: 'invokerKey' },
  createdAt: 'createdAt',
  updatedAt: 'updatedAt',
};

export const toConnectorQuery = (args: InstanceType<typeof ConnectorsArgs>): PageQuery =>
  toPageQuery(args, FIELDS, ORDER, BY_ID);
