import { ArgsType, Field, Int, ObjectType } from 'type-graphql';
import type { Page } from '../store/page';

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

/** What resolvers return for a connection: a `Page`. */
export type ConnectionClass<T extends object> = new () => {
  readonly [Part in 'nodes' | 'edges' | 'pageInfo']: Awaited<Page<T>[Part]>;
};

/**
 * The connection type of a list, `UserConnection` with `UserEdge`: `export const UserConnection =
 * ConnectionOf(User, 'UserConnection')`, then `@Query(() => UserConnection)` returning a `Page`.
 */
export function ConnectionOf<T extends object>(
  node: abstract new (...parameters: never[]) => T,
  name: `${string}Connection`,
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

    @Field(() => Int, { description: 'How many the whole list holds. Counted only when asked.' })
    readonly totalCount!: number;
  }
  return Connection;
}
