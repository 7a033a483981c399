import { Field, InputType, Int, ObjectType, registerEnumType, Root } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import {
  ALL_OF,
  ANY_OF,
  DateTimeFilter,
  IdFilter,
  NameFilter,
  NONE_OF,
  StringFilter,
} from '../../platform/graphql/filters';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { Node } from '../../platform/graphql/node';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { VisibilityEnum } from '../invokers/invoker-operation.types';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';
import type { Visibility } from './connector.ports';

@ObjectType('ConnectorField', { description: 'A field of the credentials of a connector.' })
export class ConnectorFieldType implements ConnectorField {
  @Field(() => String, { description: 'Its name, as the invoker has it.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its type, as the invoker has it; null where the invoker does not know the field.',
  })
  readonly type!: string | null;

  @Field(() => VisibilityEnum, {
    description:
      'Who sees it: as the invoker says, but never weaker than when the value was entered.',
  })
  readonly visibility!: Visibility;

  @Field(() => Boolean, { description: 'Is a value stored?' })
  readonly stored!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Its value; null where none is stored, and where it is hidden. `X-Master-Password` shows those, too.',
  })
  readonly value!: string | null;

  @Field(() => Boolean, {
    description:
      'True: the value would be sent to origins it was not entered for, so it is sent nowhere until it is entered again or confirmed with `connectorConfirm`.',
  })
  readonly suspended!: boolean;

  @Field(() => [String], {
    description: 'Those origins; without the ones that only hidden fields name.',
  })
  readonly unconfirmedOrigins!: string[];
}

@ObjectType('ConnectorLastCheck', {
  description: 'What the newest check of the stored credentials has found.',
})
export class ConnectorLastCheckType {
  @Field(() => DateTime, { description: 'When the remote system was asked.' })
  readonly at!: Date;

  @Field(() => String, {
    description: '`200`, `401`, `401 UNAUTHORIZED` or `COMMUNICATION_FAILED`.',
  })
  readonly status!: string;

  @Field(() => String, { nullable: true, description: 'What was wrong; null for nothing.' })
  readonly error!: string | null;
}

const { read, update, delete: remove } = connectorPolicy;
export const oneConnectorPolicy = { read, update, delete: remove } as const;
export const ConnectorViewerCan = viewerCanType('ConnectorViewerCan', oneConnectorPolicy);

@ObjectType('Connector', {
  implements: Node,
  description: 'A remote system and the credentials for it.',
})
export class ConnectorType {
  readonly _id!: number;

  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly title!: string;

  @Field(() => String, { description: 'What it is for, for people to read; may be empty.' })
  readonly description!: string;

  @Field(() => String, {
    name: 'invokerName',
    description: 'Name of the invoker that describes the remote system.',
  })
  readonly invoker!: string;

  @Field(() => Boolean, {
    description: 'True: the certificates of the remote system are not validated.',
  })
  readonly sslCert!: boolean;

  @Field(() => Boolean, {
    description:
      'True: cookies that the remote system sets are sent with later calls of the same run.',
  })
  keepCookies(@Root() { keepCookies = false }: ConnectorRecord): boolean {
    return keepCookies;
  }

  @Field(() => Int, {
    description: 'Longest a call may take, in milliseconds; 0 is the configured time-out.',
  })
  readonly timeout!: number;

  @Field(() => ConnectorLastCheckType, {
    nullable: true,
    description: 'The newest check of what is stored; null: none since it was changed.',
  })
  readonly lastCheck!: ConnectorLastCheckType | null;

  @Field(() => DateTime, { description: 'When it was added.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  readonly updatedAt!: Date;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const ConnectorConnection = ConnectionOf(ConnectorType, 'ConnectorConnection');

@ObjectType({ description: 'A connector that was added, changed, confirmed or deleted.' })
export class ConnectorPayload extends MutationPayload {
  @Field(() => ConnectorType, {
    nullable: true,
    description: 'The connector; null when nothing was changed.',
  })
  readonly connector!: ConnectorType | null;
}

@ObjectType({ description: 'Connectors that were deleted.' })
export class ConnectorsPayload extends ListPayload {
  @Field(() => [ConnectorType], {
    nullable: true,
    description: 'The connectors as they were; null when nothing was changed.',
  })
  readonly connectors!: ConnectorType[] | null;
}

@ObjectType('ConnectorCheck', { description: 'What the remote system says about credentials.' })
export class ConnectorCheckType {
  @Field(() => Boolean, { description: 'Did it take the credentials?' })
  readonly accepted!: boolean;

  @Field(() => String, {
    description:
      '`200`; `401` when the body says that it failed; `401 UNAUTHORIZED` when the status does.',
  })
  readonly status!: string;

  @Field(() => String, { nullable: true, description: 'What was wrong; null for nothing.' })
  readonly error!: string | null;
}

@ObjectType({ description: 'A check that was made.' })
export class ConnectorCheckPayload extends MutationPayload {
  @Field(() => ConnectorCheckType, {
    nullable: true,
    description: 'The answer of the remote system; null when there was none.',
  })
  readonly check!: ConnectorCheckType | null;
}

@InputType({ description: 'Which connectors; all that are given must hold.' })
export class ConnectorFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These connectors, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly title?: NameFilter;

  @Field(() => StringFilter, {
    nullable: true,
    description: 'Name of their invoker, without regard to case.',
  })
  readonly invokerName?: StringFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were added.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were last changed.' })
  readonly updatedAt?: DateTimeFilter;

  @Field(() => [ConnectorFilter], { nullable: true, description: ALL_OF })
  readonly and?: ConnectorFilter[];

  @Field(() => [ConnectorFilter], { nullable: true, description: ANY_OF })
  readonly or?: ConnectorFilter[];

  @Field(() => ConnectorFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const ConnectorOrderField = {
  ID: 'ID',
  TITLE: 'TITLE',
  CREATED_AT: 'CREATED_AT',
  UPDATED_AT: 'UPDATED_AT',
} as const;
registerEnumType(ConnectorOrderField, {
  name: 'ConnectorOrderField',
  description: 'What a list of connectors can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    TITLE: { description: 'Title, without regard to case.' },
    CREATED_AT: { description: 'When they were added.' },
    UPDATED_AT: { description: 'When they were last changed.' },
  },
});

export const ConnectorOrder = orderInput(ConnectorOrderField, 'ConnectorOrder');
export type ConnectorOrder = InstanceType<typeof ConnectorOrder>;
