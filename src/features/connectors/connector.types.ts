import { Field, Int, ObjectType, Root } from 'type-graphql';
import type { Visibility } from '../../engine';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import { deletedListType, payloadType } from '../../platform/graphql/schema/record-types';
import { VisibilityEnum } from '../invokers/invoker-operation.types';
import type { ConnectorField } from './connector-fields';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';

@ObjectType('ConnectorField', { description: 'A field of the credentials of a connector.' })
export class ConnectorFieldType implements ConnectorField {
  @Field(() => String, { description: 'The name that the invoker declares.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The type that the invoker declares; null if the invoker has no such field.',
  })
  readonly type!: string | null;

  @Field(() => VisibilityEnum, {
    description: 'As the invoker declares, but never weaker than when the value was entered.',
  })
  readonly visibility!: Visibility;

  @Field(() => Boolean, { description: 'Is a value stored?' })
  readonly stored!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'The value; null if none is stored or it is hidden. `X-Master-Password` reveals hidden values.',
  })
  readonly value!: string | null;

  @Field(() => Boolean, {
    description:
      'True: the value would be sent to origins it was not entered for. It is sent nowhere until it is entered again or confirmed with `connectorConfirm`.',
  })
  readonly suspended!: boolean;

  @Field(() => [String], {
    description:
      'The origins that cause the suspension, except those that only hidden fields name.',
  })
  readonly unconfirmedOrigins!: string[];
}

@ObjectType('ConnectorLastCheck', {
  description: 'The result of the latest check of the stored credentials.',
})
class ConnectorLastCheckType {
  @Field(() => DateTime, { description: 'Time of the check.' })
  readonly at!: Date;

  @Field(() => String, {
    description: '`200`, `401`, `401 UNAUTHORIZED` or `COMMUNICATION_FAILED`.',
  })
  readonly status!: string;

  @Field(() => String, { nullable: true, description: 'The error; null if there was none.' })
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

  @Field(() => String, { description: 'Its purpose; may be empty.' })
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
    description: 'Timeout of a call, in milliseconds; 0 is the configured timeout.',
  })
  readonly timeout!: number;

  @Field(() => ConnectorLastCheckType, {
    nullable: true,
    description: 'The latest check; null if there was none since the last change.',
  })
  readonly lastCheck!: ConnectorLastCheckType | null;

  @Field(() => DateTime, { description: 'Time of creation.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  readonly updatedAt!: Date;

  @Field(() => Int, {
    description: 'Number of changes; pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;
}

export const ConnectorConnection = ConnectionOf(ConnectorType, 'ConnectorConnection');

export const ConnectorPayload = payloadType(
  'ConnectorPayload',
  'connector',
  ConnectorType,
  'The connector that was created, changed, confirmed or deleted.',
);

export const ConnectorsPayload = deletedListType('ConnectorsPayload', 'connectors', ConnectorType);

@ObjectType('ConnectorCheck', { description: 'The result of a check of credentials.' })
class ConnectorCheckType {
  @Field(() => Boolean, { description: 'Did the remote system accept the credentials?' })
  readonly accepted!: boolean;

  @Field(() => String, {
    description:
      '`200`; `401` if the response body reports a failure; `401 UNAUTHORIZED` if the status does.',
  })
  readonly status!: string;

  @Field(() => String, { nullable: true, description: 'The error; null if there was none.' })
  readonly error!: string | null;
}

export const ConnectorCheckPayload = payloadType(
  'ConnectorCheckPayload',
  'check',
  ConnectorCheckType,
  'The check that was performed.',
);
