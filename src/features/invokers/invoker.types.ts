import { ArgsType, Field, ID, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { enumOf } from '../../platform/graphql/schema/enums';
import { IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { databaseId } from '../../platform/graphql/schema/ids';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime, Upload } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdsInput,
  VersionedIdInput,
  deletedListType,
  filterType,
  listArgs,
  orderType,
  payloadType,
  toPageQuery,
} from '../../platform/graphql/schema/record-types';
import type { PageQuery } from '../../platform/store/lists/keyset';
import type { InvokerOrigin } from './invoker.model';
import { invokerPolicy } from './invoker.policy';

const InvokerOriginEnum = enumOf<InvokerOrigin>(
  {
    SHIPPED: 'Shipped with the service and unchanged.',
    FOLDER: 'Read from the folder of the installation.',
    IMPORTED: 'Imported or changed by a user.',
  },
  'InvokerOrigin',
  'The origin of an invoker.',
);

const { read, update, delete: remove } = invokerPolicy;
export const oneInvokerPolicy = { read, update, delete: remove } as const;
export const InvokerViewerCan = viewerCanType('InvokerViewerCan', oneInvokerPolicy);

@ObjectType('Invoker', {
  implements: Node,
  description:
    'A description of the interface of a remote system: the data that a connector needs, and the operations.',
})
export class InvokerType {
  @Field(() => String, {
    description:
      'Identifies it in the REST API, in connectors and in steps. Unique without regard to case.',
  })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'Its purpose.' })
  readonly description!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'A hint for users who create a connector with it.',
  })
  readonly hint!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The icon that its XML names: a file name or a URL.',
  })
  readonly icon!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'How the remote system authenticates clients: `basic`, `token`, `apikey`, `endpointAuth`. Informational.',
  })
  readonly authType!: string | null;

  @Field(() => String, { description: 'Name of the file it was read from.' })
  readonly fileName!: string;

  @Field(() => InvokerOriginEnum, { description: 'Its origin.' })
  readonly origin!: InvokerOrigin;

  @Field(() => Int, {
    description: 'Number of changes; pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'Time of creation.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  readonly updatedAt!: Date;
}

export const InvokerConnection = ConnectionOf(InvokerType, 'InvokerConnection');

export const InvokerPayload = payloadType(
  'InvokerPayload',
  'invoker',
  InvokerType,
  'The invoker that was changed or deleted.',
);

export const InvokersPayload = deletedListType('InvokersPayload', 'invokers', InvokerType);

const FORCE =
  'Deletes what is in use, too. Connectors and workflows that use it stay; their validation reports it as missing.';

const InvokerFilter = filterType('InvokerFilter', 'invokers', {
  id: [IdFilter, 'By id.'],
  name: [NameFilter, 'By name.'],
});

export const InvokerImportInput = inputType(
  'InvokerImportInput',
  'What to import: a file or a text.',
  {
    file: [
      optional(Upload),
      'XML, or a zip archive of XML files; the type is detected from the content.',
    ],
    xml: [optional(String), 'XML as text.'],
  },
);
export type InvokerImportInput = InstanceType<typeof InvokerImportInput>;

export const InvokerUpdateInput = inputType(
  'InvokerUpdateInput',
  'A change of an invoker.',
  { xml: [String, 'Replaces its XML. An invoker in use keeps its name, except for the case.'] },
  VersionedIdInput,
);
export type InvokerUpdateInput = InstanceType<typeof InvokerUpdateInput>;

export const InvokerDeleteInput = inputType(
  'InvokerDeleteInput',
  'An invoker to delete.',
  { force: [Boolean, FORCE, false] },
  VersionedIdInput,
);
export type InvokerDeleteInput = InstanceType<typeof InvokerDeleteInput>;

export const InvokersDeleteInput = inputType(
  'InvokersDeleteInput',
  'Invokers to delete.',
  { force: [Boolean, FORCE, false] },
  IdsInput,
);
export type InvokersDeleteInput = InstanceType<typeof InvokersDeleteInput>;

const InvokerOrder = orderType('InvokerOrder', {
  ID: 'Id.',
  NAME: 'Name, without regard to case.',
  UPDATED_AT: 'Time of the last change.',
});
type InvokerOrder = InstanceType<typeof InvokerOrder>;

export const InvokersArgs = listArgs('invokers', InvokerFilter, InvokerOrder, 'by id');

const ORDER = { ID: '_id', NAME: 'nameKey', UPDATED_AT: 'updatedAt' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Invoker') },
  name: { folded: 'nameKey' },
};

export const toInvokerQuery = (args: InstanceType<typeof InvokersArgs>): PageQuery =>
  toPageQuery(args, FIELDS, ORDER, BY_ID);

@ArgsType()
export class InvokerArgs {
  @Field(() => ID, { nullable: true, description: 'Global id or integer.' })
  readonly id?: string;

  @Field(() => String, { nullable: true, description: 'Its name, without regard to case.' })
  readonly name?: string;
}
