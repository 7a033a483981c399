import { defaultFieldResolver, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import type { GraphqlContext } from '../context';

type Arguments = Record<string, unknown>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Arguments>;

/** Gives every list that is asked for without `first` and `last` the page of the context. Changes the schema in place. */
export function fillDefaultPages(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields() as Readonly<Record<string, GraphQLField<unknown, GraphqlContext, Arguments>>>)) {
      const names = field.args.map(({ name }) => name);
      if (names.includes('first') && names.includes('last')) field.resolve = paged(field.resolve ?? defaultFieldResolver);
    }
  }
}

function paged(resolve: Resolve): Resolve {
  return (root, args, context, info) =>
    resolve(root, args.first == null && args.last == null ? { ...args, first: context.defaultPage } : args, context, info);
}
