import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { guard } from '../../access/need';
import type { GraphqlContext } from '../../context';
import { StorageFull } from '../../errors/errors';
import { declaredNeed, isServedOnFullDisk } from './needs';
import type { DeclaredNeed } from './needs';
import type { MutationPayload } from './payload';

type Field = GraphQLField<unknown, GraphqlContext, Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>>;

const FREES_SPACE = /Delete$/;

/**
 * Checks the declared need of every field before its resolver runs; of a subscription when it is
 * requested and at each event. Each field of a mutation begins with empty loaders and the current
 * permissions of the session, and most are refused while the disk is full. Changes the schema in
 * place.
 * @throws Error root fields without a need, and deletes that are refused while the disk is full,
 *   with their names
 */
export function addPermissionChecks(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const undeclared = roots.flatMap((type) =>
    type
      ? fieldsOf(type)
          .filter((field) => !declaredNeed(field.extensions))
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  if (undeclared.length > 0)
    throw new Error(
      `These fields declare no need, so they cannot be served: ${undeclared.join(', ')}. Add @Needs(...).`,
    );

  const refused = fieldsOf(schema.getMutationType())
    .filter(({ name, extensions }) => FREES_SPACE.test(name) && !isServedOnFullDisk(extensions))
    .map(({ name }) => name);
  if (refused.length > 0)
    throw new Error(
      `These mutations free space and are refused on a full disk: ${refused.join(', ')}. Add @ServedOnFullDisk().`,
    );

  for (const field of fieldsOf(schema.getMutationType()))
    if (!isServedOnFullDisk(field.extensions))
      field.resolve = withSpaceCheck(field.resolve ?? defaultFieldResolver);

  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of fieldsOf(type)) {
      const declared = declaredNeed(field.extensions);
      if (!declared) continue;
      field.resolve = withPermissionCheck(declared, field.resolve ?? defaultFieldResolver);
      if (field.subscribe) field.subscribe = withPermissionCheck(declared, field.subscribe);
    }
  }

  for (const field of fieldsOf(schema.getMutationType()))
    field.resolve = withFreshMutationContext(field.resolve ?? defaultFieldResolver);
}

const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] =>
  Object.values((type?.getFields() ?? {}) as Readonly<Record<string, Field>>);

/**
 * The fields of a mutation run one after the other, and one may end the session or change the
 * permissions of the next. The time to wait after too many attempts is sent in a header too.
 */
function withFreshMutationContext(resolve: Resolve): Resolve {
  return async (root, args, context, info) => {
    await context.beginMutation();
    const result = (await resolve(root, args, context, info)) as Partial<MutationPayload> | null;
    const refusal = result?.userErrors?.find(({ retryAfter }) => retryAfter !== undefined);
    if (refusal) context.setHeader('Retry-After', String(refusal.retryAfter));
    return result;
  };
}

function withSpaceCheck(resolve: Resolve): Resolve {
  return (root, args, context, info) => {
    if (context.isStorageFull()) throw new StorageFull();
    return resolve(root, args, context, info);
  };
}

function withPermissionCheck({ need, owner }: DeclaredNeed, resolve: Resolve): Resolve {
  return (root, args, context, info) => {
    guard(need, context.authentication, typeof need === 'object' ? owner(args, root) : undefined);
    return resolve(root, args, context, info);
  };
}
