import { defaultTypeResolver, GraphQLError, isObjectType } from 'graphql';
import type {
  FieldNode,
  GraphQLAbstractType,
  GraphQLObjectType,
  GraphQLResolveInfo,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect';
import { isPromise } from 'graphql/jsutils/isPromise';

/**
 * Returns the object type of a value of an interface or union. The messages are those of graphql-js.
 * @throws GraphQLError the type is not one of the possible types
 */
export function runtimeTypeOf(
  type: GraphQLAbstractType,
  value: unknown,
  context: unknown,
  info: GraphQLResolveInfo,
): GraphQLObjectType | Promise<GraphQLObjectType> {
  const name = (type.resolveType ?? defaultTypeResolver)(value, context, info, type);
  return isPromise(name)
    ? name.then((resolved) => namedType(resolved, type, value, info))
    : namedType(name, type, value, info);
}

/** The error of a value that is not of the type of its field, as graphql-js describes it. */
export const wrongType = (
  type: GraphQLObjectType,
  value: unknown,
  nodes: readonly FieldNode[],
): GraphQLError =>
  new GraphQLError(`Expected value of type "${type.name}" but got: ${inspect(value)}.`, { nodes });

function namedType(
  name: unknown,
  abstract: GraphQLAbstractType,
  value: unknown,
  { schema, parentType, fieldName, fieldNodes: nodes }: GraphQLResolveInfo,
): GraphQLObjectType {
  const place = `Abstract type "${abstract.name}" must resolve to an Object type at runtime for field "${parentType.name}.${fieldName}"`;
  if (name == null)
    throw new GraphQLError(
      `${place}. Either the "${abstract.name}" type should provide a "resolveType" function or each possible type should provide an "isTypeOf" function.`,
      { nodes },
    );
  if (typeof name !== 'string')
    throw new GraphQLError(`${place} with value ${inspect(value)}, received "${inspect(name)}".`);
  const type = schema.getType(name);
  if (!type)
    throw new GraphQLError(
      `Abstract type "${abstract.name}" was resolved to a type "${name}" that does not exist inside the schema.`,
      { nodes },
    );
  if (!isObjectType(type))
    throw new GraphQLError(
      `Abstract type "${abstract.name}" was resolved to a non-object type "${name}".`,
      { nodes },
    );
  if (!schema.isSubType(abstract, type))
    throw new GraphQLError(
      `Runtime Object type "${type.name}" is not a possible type for "${abstract.name}".`,
      { nodes },
    );
  return type;
}
