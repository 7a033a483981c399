import type { FileUpload } from 'graphql-upload-minimal';
import { ArgsType, Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import {
  ConnectionArgs,
  ConnectionOf,
  orderInput,
  toOrder,
} from '../../platform/graphql/connection';
import { enumOf } from '../../platform/graphql/enums';
import {
  ListPayload,
  MutationPayload,
  VersionedInput,
  WHICH_IDS,
} from '../../platform/graphql/payload';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';
import { databaseId } from '../../platform/graphql/ids';
import { Node } from '../../platform/graphql/node';
import { DateTime, Upload } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { PageQuery } from '../../platform/store/keyset';
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

@ObjectType({ description: 'The invoker that was deleted.' })
export class InvokerPayload extends MutationPayload {
  @Field(() => InvokerType, {
    nullable: true,
    description: 'The invoker before its deletion; null if nothing was changed.',
  })
  readonly invoker!: InvokerType | null;
}

@ObjectType({ description: 'The invokers that were deleted.' })
export class InvokersPayload extends ListPayload {
  @Field(() => [InvokerType], {
    nullable: true,
    description: 'The invokers before their deletion; null if nothing was changed.',
  })
  readonly invokers!: InvokerType[] | null;
}

const FORCE =
  'Deletes what is in use, too. Connectors and workflows that use it stay; their validation reports it as missing.';

@InputType({ description: 'Conditions on invokers; all of them must hold.' })
class InvokerFilter {
  @Field(() => IdFilter, { nullable: true, description: 'By id.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'By name.' })
  readonly name?: NameFilter;

  @Field(() => [InvokerFilter], { nullable: true, description: ALL_OF })
  readonly and?: InvokerFilter[];

  @Field(() => [InvokerFilter], { nullable: true, description: ANY_OF })
  readonly or?: InvokerFilter[];

  @Field(() => InvokerFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

@InputType({ description: 'What to import: a file or a text.' })
export class InvokerImportInput {
  @Field(() => Upload, {
    nullable: true,
    description: 'XML, or a zip archive of XML files; the type is detected from the content.',
  })
  readonly file?: Promise<FileUpload> | null;

  @Field(() => String, { nullable: true, description: 'XML as text.' })
  readonly xml?: string | null;
}

@InputType({ description: 'An invoker to delete.' })
export class InvokerDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@InputType({ description: 'Invokers to delete.' })
export class InvokersDeleteInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

const InvokerOrderField = { ID: 'ID', NAME: 'NAME', UPDATED_AT: 'UPDATED_AT' } as const;
registerEnumType(InvokerOrderField, {
  name: 'InvokerOrderField',
  description: 'Sort keys of a list of invokers.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
    UPDATED_AT: { description: 'Time of the last change.' },
  },
});

const InvokerOrder = orderInput(InvokerOrderField, 'InvokerOrder');
type InvokerOrder = InstanceType<typeof InvokerOrder>;

@ArgsType()
export class InvokersArgs extends ConnectionArgs {
  @Field(() => InvokerFilter, { nullable: true, description: 'Default: all invokers.' })
  readonly filter?: InvokerFilter;

  @Field(() => InvokerOrder, { nullable: true, description: 'Default: by id.' })
  readonly orderBy?: InvokerOrder;
}

const ORDER = { ID: '_id', NAME: 'nameKey', UPDATED_AT: 'updatedAt' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Invoker') },
  name: { folded: 'nameKey' },
};

export const toInvokerQuery = ({ filter, orderBy, ...page }: InvokersArgs): PageQuery => ({
  ...page,
  filter: toQuery(filter, FIELDS),
  orderBy: toOrder(orderBy, ORDER, BY_ID),
});

@ArgsType()
export class InvokerArgs {
  @Field(() => ID, { nullable: true, description: 'Global id or integer.' })
  readonly id?: string;

  @Field(() => String, { nullable: true, description: 'Its name, without regard to case.' })
  readonly name?: string;
}
