import { isInterfaceType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { Arg, Ctx, Field, ID, Int, InterfaceType, Query, Resolver } from 'type-graphql';
import type { Need } from '../../access/need';
import { allows, guard } from '../../access/need';
import type { GraphqlContext } from '../../context';
import { BadInput } from '../../errors/errors';
import { markPlain } from '../plans/kept-texts';
import { globalId, parseGlobalId } from './ids';
import { Needs } from './needs';

/**
 * GraphQL types of objects that are returned as `Node`. Not kept in the objects, which may be
 * frozen and shared.
 */
const typeNames = new WeakMap<object, string>();

/** Records the GraphQL type of an object, for fields that return `Node`. */
function asNode<T extends object>(type: string, object: T): T {
  typeNames.set(object, type);
  return object;
}

/**
 * Anything with an identity. A type that declares `@ObjectType({ implements: Node })` needs no
 * resolvers for both fields: they are read from `databaseId`, `_id` or a numeric `id` of its
 * objects.
 */
@InterfaceType('Node', {
  description: 'Anything that has an identity and can be looked up by it.',
  resolveType: (value: object) => typeNames.get(value),
})
export abstract class Node {
  @Field(() => ID, { description: 'Global, opaque id. Every lookup takes it.' })
  readonly id!: string;

  @Field(() => Int, {
    description: 'The integer id the REST API uses. Every lookup takes it, too.',
  })
  readonly databaseId!: number;
}

/**
 * Finds an object by its integer id; null if there is none. Use `context.loader`, so that objects
 * requested together are read together.
 */
type NodeLoader = (databaseId: number, context: GraphqlContext) => Promise<object | null>;

interface NodeSource {
  readonly load: NodeLoader;
  readonly need: Need;
  readonly owner: (databaseId: number) => number | undefined;
}

const sources = new Map<string, NodeSource>();

/** Maximum number of objects per request of `nodes`. */
const MOST_NODES = 100;

/**
 * Makes a type available through `node(id)`, guarded by `need`. `owner` returns the owner of the
 * record, if the need depends on it; a User is their own.
 */
export function registerNode(
  type: string,
  load: NodeLoader,
  need: Need,
  owner: (databaseId: number) => number | undefined = (id) => (type === 'User' ? id : undefined),
): void {
  sources.set(type, { load, need, owner });
}

/**
 * Returns a linked object of any type; null if there is none or the signed-in user may not read it.
 */
export async function linkedNode(
  type: string,
  id: number,
  context: GraphqlContext,
): Promise<object | null> {
  const source = sources.get(type);
  if (!source || !allows(source.need, context.actor, source.owner(id))) return null;
  const object = await source.load(id, context);
  return object && asNode(type, object);
}

/** Part of every schema. */
@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description: 'Looks up any object by its global id. Null when there is none.',
  })
  @Needs('authenticated')
  async node(
    @Arg('id', () => ID, { description: 'The global id.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<object | null> {
    const parsed = parseGlobalId(id);
    const source = parsed && sources.get(parsed.type);
    if (!source)
      throw new BadInput('ID_INVALID', `${JSON.stringify(id.slice(0, 100))} is not a global id.`, {
        path: ['id'],
      });
    guard(source.need, context.authentication, source.owner(parsed.databaseId));
    const object = await source.load(parsed.databaseId, context);
    return object && asNode(parsed.type, object);
  }

  @Query(() => [Node], {
    nullable: 'items',
    description:
      'Looks up objects by their global ids, in the order asked for. Null for one that there is not, or that the signed-in user may not read.',
  })
  @Needs('authenticated')
  async nodes(
    @Arg('ids', () => [ID], {
      description: `The global ids, ${MOST_NODES} at most. The same one may stand there twice.`,
    })
    ids: readonly string[],
    @Ctx() context: GraphqlContext,
  ): Promise<(object | null)[]> {
    if (ids.length > MOST_NODES)
      throw new BadInput('BAD_REQUEST', `\`ids\` takes ${MOST_NODES} ids at most.`, {
        path: ['ids'],
      });
    return Promise.all(
      ids.map(async (id) => {
        const parsed = parseGlobalId(id);
        return parsed && linkedNode(parsed.type, parsed.databaseId, context);
      }),
    );
  }
}

/**
 * Adds resolvers for `id` and `databaseId` to every type that implements `Node` and has none.
 * Changes the schema in place.
 */
export function fillNodeFields(schema: GraphQLSchema): void {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) return;
  for (const type of schema.getPossibleTypes(node)) {
    const { id, databaseId } = type.getFields();
    if (databaseId && !databaseId.resolve) databaseId.resolve = markPlain(integerIdOf);
    if (id && !id.resolve)
      id.resolve = markPlain((object: unknown) => globalId(type.name, integerIdOf(object)));
  }
}

function integerIdOf(object: unknown): number {
  const { databaseId, _id, id } = object as Readonly<Record<string, unknown>>;
  for (const value of [databaseId, _id, id]) if (typeof value === 'number') return value;
  throw new Error('A Node has `databaseId`, `_id` or a numeric `id`.');
}
