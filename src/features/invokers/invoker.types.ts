import { Field, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { enumOf } from '../../platform/graphql/enums';
import { Node } from '../../platform/graphql/node';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import type { InvokerOrigin } from './invoker.model';
import { invokerPolicy } from './invoker.policy';

export const InvokerOriginEnum = enumOf<InvokerOrigin>(
  {
    SHIPPED: 'It came with the service, and nobody has changed it.',
    FOLDER: 'It was read from the folder of the installation.',
    IMPORTED: 'Somebody imported it, or changed it.',
  },
  'InvokerOrigin',
  'Where an invoker came from.',
);

const { read, update, delete: remove } = invokerPolicy;
export const oneInvokerPolicy = { read, update, delete: remove } as const;
export const InvokerViewerCan = viewerCanType('InvokerViewerCan', oneInvokerPolicy);

@ObjectType('Invoker', {
  implements: Node,
  description:
    'A description of the interface of a remote system: what a connector of it has to know, and which operations it has.',
})
export class InvokerType {
  @Field(() => String, {
    description:
      'Its identity in the REST API, in connectors and in steps. Unique without regard to case.',
  })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'What it is for, for people to read.' })
  readonly description!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What somebody should know who makes a connector of it.',
  })
  readonly hint!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The icon that its XML names: a file name or an address.',
  })
  readonly icon!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'How the remote system knows who calls, for people: `basic`, `token`, `apikey`, `endpointAuth`.',
  })
  readonly authType!: string | null;

  @Field(() => String, { description: 'Name of the file it was read from.' })
  readonly fileName!: string;

  @Field(() => InvokerOriginEnum, { description: 'Where it came from.' })
  readonly origin!: InvokerOrigin;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'When it was added.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  readonly updatedAt!: Date;
}

export const InvokerConnection = ConnectionOf(InvokerType, 'InvokerConnection');

export const InvokerOrderField = { ID: 'ID', NAME: 'NAME', UPDATED_AT: 'UPDATED_AT' } as const;
registerEnumType(InvokerOrderField, {
  name: 'InvokerOrderField',
  description: 'What a list of invokers can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
    UPDATED_AT: { description: 'When it was last changed.' },
  },
});

export const InvokerOrder = orderInput(InvokerOrderField, 'InvokerOrder');
export type InvokerOrder = InstanceType<typeof InvokerOrder>;
