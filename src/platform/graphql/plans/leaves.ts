import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isEnumType,
} from 'graphql';
import type { GraphQLLeafType } from 'graphql';
import { LIGHT_CHARACTERS, NotWritable, writeJsonPart } from '../operations/json-writer';
import { inspect } from 'graphql/jsutils/inspect';
import type { EventualText } from './text';

/** Writes a value of a scalar or enum that is neither null nor an error. */
export type WriteLeaf = (value: unknown) => EventualText;

/**
 * Returns how values of a scalar or enum are written. Writing throws or rejects with `NotWritable` if
 * a value is no JSON or exceeds `maxBytes`.
 */
export function leafWriter(type: GraphQLLeafType, maxBytes: number): WriteLeaf {
  const serialize = serializer(type, maxBytes);
  const known = isEnumType(type)
    ? new Map(type.getValues().map(({ name, value }) => [value as unknown, JSON.stringify(name)]))
    : undefined;
  if (known) return (value) => known.get(value) ?? serialize(value);
  switch (type) {
    case GraphQLString:
    case GraphQLID:
      return (value) =>
        typeof value === 'string' && value.length <= LIGHT_CHARACTERS
          ? JSON.stringify(value)
          : serialize(value);
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
  (type: GraphQLLeafType, maxBytes: number): WriteLeaf =>
  (value) => {
    const serialized: unknown = type.serialize(value);
    if (serialized == null)
      throw new Error(
        `Expected \`${inspect(type)}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(serialized)}`,
      );
    return writeSerialized(serialized, maxBytes);
  };

function writeSerialized(value: unknown, maxBytes: number): EventualText {
  const fail = (cause: unknown): never => {
    throw new NotWritable('A value cannot be written.', { cause });
  };
  try {
    const text = writeJsonPart(value, maxBytes) ?? 'null';
    return typeof text === 'string' ? text : text.catch(fail);
  } catch (error) {
    return fail(error);
  }
}
