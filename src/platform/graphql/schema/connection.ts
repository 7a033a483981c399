import { ArgsType, Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Page } from '../../store/lists/page';
import type { Order } from '../../store/lists/keyset-cursor';
import type { GraphqlContext } from '../../context';

/** Arguments of a subscription to changes of a list; extend it with `filter`. */
@ArgsType()
export class ListChangedArgs {
  @Field(() => Int, {
    defaultValue: 20,
    description:
      'How many changed ones a message has at most, 1 to 100; the others come in the next.',
  })
  readonly first!: number;
}

/**
 * Returns the page of a list of one object, loaded together with those of all other objects in the
 * request that have the same arguments: `workflows { nodes { runs(first: 2) } }` calls `load` once.
 * `name` identifies the list within the request; `load` returns a page for each id, in order.
 */
export async function nestedPage<T, P extends number | string>(
  context: GraphqlContext,
  name: string,
  parentId: P,
  args: object,
  load: (parentIds: readonly P[]) => Promise<readonly Page<T>[]>,
): Promise<Page<T>> {
  const page = await context
    .loader<P, Page<T>>(`${name} ${JSON.stringify(args)}`, load)
    .load(parentId);
  if (!page) throw new Error(`The list ${name} brought no page for ${parentId}.`);
  return page;
}

export const OrderDirection = { ASC: 'ASC', DESC: 'DESC' } as const;
export type OrderDirection = (typeof OrderDirection)[keyof typeof OrderDirection];
registerEnumType(OrderDirection, {
  name: 'OrderDirection',
  description: 'Which end of a list comes first.',
  valuesConfig: {
    ASC: { description: 'The least first.' },
    DESC: { description: 'The greatest first.' },
  },
});

export interface OrderBy<F extends string> {
  readonly field: F;
  readonly direction: OrderDirection;
}

/**
 * Creates the order input of a registered enum of fields: `orderInput(WorkflowOrderField,
 * 'WorkflowOrder')`. Called once per list.
 */
export function orderInput<E extends Readonly<Record<string, string>>>(
  fields: E,
  name: `${string}Order`,
): new () => OrderBy<E[keyof E]> {
  @InputType(name, { description: 'What the list is ordered by; equal entries by their id.' })
  class OfFields implements OrderBy<E[keyof E]> {
    @Field(() => fields, { description: 'What is compared.' })
    readonly field!: E[keyof E];

    @Field(() => OrderDirection, {
      defaultValue: OrderDirection.ASC,
      description: 'Which end comes first.',
    })
    readonly direction!: OrderDirection;
  }
  return OfFields;
}

/**
 * Returns the order for `pageOf`, by the fields of the documents; `fallback` if none was requested.
 */
export function toOrder<F extends string>(
  orderBy: OrderBy<F> | null | undefined,
  paths: Readonly<Record<F, string>>,
  fallback: Order,
): readonly Order[] {
  if (!orderBy) return [{ ...fallback, isDefault: true }];
  return [
    { field: paths[orderBy.field], direction: orderBy.direction === 'DESC' ? 'desc' : 'asc' },
  ];
}

@ObjectType({ description: 'Where a page stands in its list.' })
export class PageInfo {
  @Field(() => Boolean, { description: 'Is there more after this page?' })
  readonly hasNextPage!: boolean;

  @Field(() => Boolean, { description: 'Is there more before this page?' })
  readonly hasPreviousPage!: boolean;

  @Field(() => String, { nullable: true, description: 'Cursor of the first entry, for `before`.' })
  readonly startCursor!: string | null;

  @Field(() => String, { nullable: true, description: 'Cursor of the last entry, for `after`.' })
  readonly endCursor!: string | null;
}

/**
 * Arguments of every paged list; extend it with `filter` and `orderBy`. Can be passed to `pageOf`.
 */
@ArgsType()
export class ConnectionArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many from the start, 1 to 100. Without `first` and `last`: 20.',
  })
  readonly first?: number | null;

  @Field(() => String, { nullable: true, description: 'Only what comes after this cursor.' })
  readonly after?: string | null;

  @Field(() => Int, { nullable: true, description: 'How many from the end, 1 to 100.' })
  readonly last?: number | null;

  @Field(() => String, { nullable: true, description: 'Only what comes before this cursor.' })
  readonly before?: string | null;
}

/** Arguments of a list that is read from its start only. */
@ArgsType()
export class ForwardArgs {
  @Field(() => Int, {
    nullable: true,
    description: 'How many from the start, 1 to 100. Default: 20.',
  })
  readonly first!: number;

  @Field(() => String, { nullable: true, description: 'Only what comes after this cursor.' })
  readonly after?: string | null;
}

/** What resolvers return for a connection: a `Page`. */
type ConnectionClass<T extends object> = new () => {
  readonly [Part in 'nodes' | 'edges' | 'pageInfo']: Awaited<Page<T>[Part]>;
};

/**
 * The connection type of a list, `UserConnection` with `UserEdge`: `export const UserConnection =
 * ConnectionOf(User, 'UserConnection')`, then `@Query(() => UserConnection)` returning a `Page`.
 * Lists that cannot be counted without reading them have no `totalCount`.
 */
export function ConnectionOf<T extends object>(
  node: abstract new (...parameters: never[]) => T,
  name: `${string}Connection`,
  { isCounted = true } = {},
): ConnectionClass<T> {
  const nodeName = name.slice(0, -'Connection'.length);

  @ObjectType(`${nodeName}Edge`, {
    description: `One entry of a list of ${nodeName} objects, with its place in the list.`,
  })
  class Edge {
    @Field(() => String, { description: 'The place in the list, for `after` and `before`.' })
    readonly cursor!: string;

    @Field(() => node, { description: 'The entry itself.' })
    readonly node!: T;
  }

  @ObjectType(name, { description: `A page of a list of ${nodeName} objects.` })
  class Connection {
    @Field(() => [node], { description: 'The entries of this page.' })
    readonly nodes!: readonly T[];

    @Field(() => [Edge], { description: 'The entries with their cursors.' })
    readonly edges!: Edge[];

    @Field(() => PageInfo, { description: 'Where this page stands in the list.' })
    readonly pageInfo!: PageInfo;
  }
  if (isCounted)
    Field(() => Int, { description: 'How many the whole list holds. Counted only when asked.' })(
      Connection.prototype,
      'totalCount',
    );
  return Connection;
}
