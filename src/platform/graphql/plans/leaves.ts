import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isEnumType,
} from 'graphql';
import type { GraphQLLeafType } from 'graphql';
import { inspect } from 'graphql/jsutils/inspect';
import { NotWritable } from './text';

/** Writes a value of a scalar or enum that is neither null nor an error. */
type WriteLeaf = (value: unknown) => string;

/**
 * Returns how values of a scalar or enum are written. Writing throws `NotWritable` if a
 * value is no JSON.
 */
export function leafWriter(type: GraphQLLeafType): WriteLeaf {
  const serialize = serializer(type);
  const names = isEnumType(type)
    ? new Map(type.getValues().map(({ name, value }) => [value as unknown, JSON.stringify(name)]))
    : undefined;
  if (names) return (value) => names.get(value) ?? serialize(value);
  switch (type) {
    case GraphQLString:
    case GraphQLID:
      return (value) => (typeof value === 'string' ? JSON.stringify(value) : serialize(value));
    case GraphQLInt:
      return (value) =>
        typeof value === 'number' && (value | 0) === value ? String(value) : serialize(value);
    case GraphQLFloat:
      return (value) =>
        typeof value === 'number' && Number.isFinite(value) ? String(value) : serialize(value);
    case GraphQLBoolean:
      return (value) => (typeof value === 'boolean' ? String(value) : serialize(value));
    default:
      return serialize;
  }
}

/** Writes any value as graphql-js serialises it. */
const serializer =
  (type: GraphQLLeafType): WriteLeaf =>
  (value) => {
    const serialized: unknown = type.serialize(value);
    if (serialized == null)
      throw new Error(
        `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
      );
    return writeSerialized(serialized);
  };

function writeSerialized(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch (cause) {
    throw new NotWritable('A value cannot be written.', { cause });
  }
}
