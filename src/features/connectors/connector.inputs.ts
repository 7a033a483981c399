import { ID, InputType, Int } from 'type-graphql';
import type { InputPath } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import {
  DateTimeFilter,
  IdFilter,
  NameFilter,
  StringFilter,
} from '../../platform/graphql/schema/filters';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
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

export const ConnectorFieldInput = inputType('ConnectorFieldInput', 'A field of the credentials.', {
  name: [String, "One of the names of the invoker's required data."],
  value: [String, 'The value. It is stored encrypted.'],
});
export type ConnectorFieldInput = InstanceType<typeof ConnectorFieldInput>;

export const ConnectorCreateInput = inputType('ConnectorCreateInput', 'A new connector.', {
  title: [String, 'Unique without regard to case, at most 255 characters.'],
  description: [optional(String), DESCRIPTION],
  invokerName: [String, 'Name of the invoker that describes the remote system.'],
  sslCert: [Boolean, SSL_CERT, false],
  keepCookies: [Boolean, KEEP_COOKIES, false],
  timeout: [Int, TIMEOUT, 0],
  requestData: [[ConnectorFieldInput], 'The credentials, each field once.', []],
});
export type ConnectorCreateInput = InstanceType<typeof ConnectorCreateInput>;

export const ConnectorUpdateInput = inputType(
  'ConnectorUpdateInput',
  'A change of a connector. Missing fields keep their values, also in the credentials.',
  {
    title: [optional(String), 'The new title.'],
    description: [optional(String), DESCRIPTION],
    invokerName: [
      optional(String),
      'Name of the new invoker. A different invoker has different fields: the stored values are removed.',
    ],
    sslCert: [optional(Boolean), SSL_CERT],
    keepCookies: [optional(Boolean), KEEP_COOKIES],
    timeout: [optional(Int), TIMEOUT],
    requestData: [optional([ConnectorFieldInput]), 'Credentials to change, each field once.'],
  },
  VersionedIdInput,
);
export type ConnectorUpdateInput = InstanceType<typeof ConnectorUpdateInput>;

@InputType({ description: 'A connector.' })
export class ConnectorIdInput extends VersionedIdInput {}

export const ConnectorDeleteInput = inputType(
  'ConnectorDeleteInput',
  'A connector to delete.',
  {
    force: [
      Boolean,
      'Deletes it even if workflows use it. Their `validation` then reports it as missing.',
      false,
    ],
  },
  ConnectorIdInput,
);
export type ConnectorDeleteInput = InstanceType<typeof ConnectorDeleteInput>;

export const ConnectorIdsInput = inputType(
  'ConnectorIdsInput',
  'Connectors to delete.',
  { force: [Boolean, 'Deletes them even if workflows use them.', false] },
  IdsInput,
);
export type ConnectorIdsInput = InstanceType<typeof ConnectorIdsInput>;

export const ConnectorIconUploadInput = inputType(
  'ConnectorIconUploadInput',
  'A new icon.',
  { file: [Upload, 'PNG, JPEG, GIF or WebP; the type is detected from the content.'] },
  VersionedIdInput,
);
export type ConnectorIconUploadInput = InstanceType<typeof ConnectorIconUploadInput>;

export const ConnectorCheckInput = inputType(
  'ConnectorCheckInput',
  'Credentials to check: given ones, those of a stored connector, or some of both.',
  {
    id: [
      optional(ID),
      'A stored connector, which provides what is missing; secrets only if every public field is as stored. Requires CONNECTOR:UPDATE.',
    ],
    invokerName: [optional(String), 'Name of the invoker. Optional for a stored connector.'],
    sslCert: [optional(Boolean), SSL_CERT],
    timeout: [optional(Int), TIMEOUT],
    requestData: [
      [ConnectorFieldInput],
      'Credentials, each field once. Missing fields have the defaults of the invoker.',
      [],
    ],
  },
);
export type ConnectorCheckInput = InstanceType<typeof ConnectorCheckInput>;

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
