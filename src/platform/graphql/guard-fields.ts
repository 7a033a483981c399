import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { guard } from '../access/need';
import type { GraphqlContext } from '../context';
import { declaredNeed } from './needs';
import type { DeclaredNeed } from './needs';

type Field = GraphQLField<unknown, GraphqlContext, Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Record<string, unknown>>;

/**
 * Puts the declared need of every field in front of its resolver, and of a subscription in front of both: when it is asked for and at
 * each event. Each field of a mutation begins with loaders that know nothing. Changes the schema in place.
 * @throws Error naming every root field that declares nothing: what is not declared is not served
 */
export function guardFields(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const undeclared = roots.flatMap((type) => (type ? fieldsOf(type).filter((field) => !declaredNeed(field.extensions)).map(({ name }) => `${type.name}.${name}`) : []));
  if (undeclared.length > 0) throw new Error(`These fields declare no need, so they cannot be served: ${undeclared.join(', ')}. Add @Needs(...).`);

  // The fields of a mutation are served one after the other: none answers what was read before it changed something.
  for (const field of fieldsOf(schema.getMutationType())) field.resolve = afresh(field.resolve ?? defaultFieldResolver);

  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of fieldsOf(type)) {
      const declared = declaredNeed(field.extensions);
      if (!declared) continue;
      field.resolve = guarded(declared, field.resolve ?? defaultFieldResolver);
      if (field.subscribe) field.subscribe = guarded(declared, field.subscribe);
    }
  }
}

const fieldsOf = (type: GraphQLObjectType | null | undefined): Field[] => Object.values((type?.getFields() ?? {}) as Readonly<Record<string, Field>>);

function afresh(resolve: Resolve): Resolve {
  return (root, args, context, info) => {
    context.forgetLoaded();
    return resolve(root, args, context, info);
  };
}

function guarded({ need, owner }: DeclaredNeed, resolve: Resolve): Resolve {
  return (root, args, context, info) => {
    guard(need, context.authentication, typeof need === 'object' ? owner(args, root) : undefined);
    return resolve(root, args, context, info);
  };
}
