import { ArgsType, Field } from 'type-graphql';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { toQuery } from '../../platform/store/filter';
import type { PageQuery } from '../../platform/store/keyset';
import { ConnectorFilter, ConnectorOrder } from './connector.types';

@ArgsType()
export class ConnectorsArgs extends ConnectionArgs {
  @Field(() => ConnectorFilter, {
    nullable: true,
    description: 'Which connectors. Without it: all.',
  })
  readonly filter?: ConnectorFilter;

  @Field(() => ConnectorOrder, {
    nullable: true,
    description: 'In which order. Without it: that of the field a range is asked of, else by id.',
  })
  readonly orderBy?: ConnectorOrder;
}

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

export const askedConnectors = ({ filter, orderBy, ...page }: ConnectorsArgs): PageQuery => ({
  ...page,
  filter: toQuery(filter, FIELDS),
  orderBy: toOrder(orderBy, ORDER, BY_ID),
});
