import { Schema } from 'mongoose';
import type { SchemaDefinition } from 'mongoose';
import { fieldCopiesOf } from './stored-fields';
import type { FieldCopies } from './stored-fields';

/** The type of a field that holds any object. */
export const { Mixed } = Schema.Types;

// Required texts may be empty.
Schema.Types.String.checkRequired((value: unknown) => typeof value === 'string');

/** Schema of an object within a record. */
export type Part<V> = Schema & { readonly describes?: V; readonly copies: FieldCopies };

/** Schema of a record. Only `schemaOf` creates it, so every model is strict. */
export type RecordSchema<R> = Schema<R> & { readonly isStrict: true; readonly copies: FieldCopies };

/** Type of a field for mongoose: `String`, `[String]`, a `Part`, or `Mixed`. */
type Kind<V> = V extends string
  ? StringConstructor
  : V extends number
    ? NumberConstructor
    : V extends boolean
      ? BooleanConstructor
      : V extends Date
        ? DateConstructor
        : V extends Buffer
          ? BufferConstructor
          : V extends readonly (infer I)[]
            ? readonly [Kind<I>]
            : string extends keyof V
              ? typeof Schema.Types.Mixed
              : Part<V>;

interface OrNull<K> {
  readonly orNull: K;
}
interface OrMissing<K> {
  readonly orMissing: K;
}

type Field<V> = undefined extends V
  ? OrMissing<Kind<Exclude<V, undefined>>>
  : null extends V
    ? OrNull<Kind<NonNullable<V>>>
    : Kind<V>;

/** All fields of a record with their types. */
export type Fields<R> = { readonly [K in keyof R]-?: Field<R[K]> };

/** A field that may be null: `description: orNull(String)`. */
export const orNull = <K>(kind: K): OrNull<K> => ({ orNull: kind });

/** A field that may be missing. */
export const orMissing = <K>(kind: K): OrMissing<K> => ({ orMissing: kind });

const STRICT = {
  versionKey: false,
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
} as const;

/**
 * Schema of a record:
 * `schemaOf<GroupRecord>({ _id: Number, name: String, description: orNull(String) })`. Missing
 * fields and wrong types fail to compile; unknown fields are rejected in writes and queries.
 */
export const schemaOf = <R>(fields: Fields<R>): RecordSchema<R> =>
  Object.assign(new Schema<R>(definition(fields), STRICT as never), {
    isStrict: true,
    copies: fieldCopiesOf(fields),
  } as const);

/** Schema of an object within a record. */
export const partOf = <V>(fields: Fields<V>): Part<V> =>
  Object.assign(new Schema(definition(fields), { ...STRICT, _id: false } as never), {
    copies: fieldCopiesOf(fields),
  });

const definition = (fields: object): SchemaDefinition =>
  Object.fromEntries(
    Object.entries(fields as Record<string, object>).map(([name, field]) => [
      name,
      described(field),
    ]),
  );

function described(field: object): object {
  if ('orNull' in field) return { type: field.orNull, default: null };
  // Mongoose defaults lists to []; keep a missing list missing.
  if ('orMissing' in field) return { type: field.orMissing, default: undefined };
  return { type: field, required: true };
}
