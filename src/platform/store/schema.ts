import { Schema } from 'mongoose';
import type { SchemaDefinition } from 'mongoose';

// A text may be empty and is there all the same.
Schema.Types.String.checkRequired((value: unknown) => typeof value === 'string');

/** The schema of an object inside a record. */
export type Part<V> = Schema & { readonly describes?: V };

/** The schema of a record: made by `schemaOf` alone, so that every model is strict. */
export type RecordSchema<R> = Schema<R> & { readonly isStrict: true };

/** mongoose's word for a value: `String`, `[String]`, the part of an object, `Mixed` for what has any keys. */
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

/** Every field of a record, each with what it holds. */
export type Fields<R> = { readonly [K in keyof R]-?: Field<R[K]> };

/** A field that may be null: `description: orNull(String)`. */
export const orNull = <K>(kind: K): OrNull<K> => ({ orNull: kind });

/** A field that only some records have. */
export const orMissing = <K>(kind: K): OrMissing<K> => ({ orMissing: kind });

const STRICT = {
  versionKey: false,
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
} as const;

/**
 * The schema of a record: `schemaOf<GroupRecord>({ _id: Number, name: String, description: orNull(String) })`. A field of the record that is
 * left out does not compile, nor one of another type; what the schema does not know is refused when it is written or asked for.
 */
export const schemaOf = <R>(fields: Fields<R>): RecordSchema<R> =>
  Object.assign(new Schema<R>(definition(fields), STRICT as never), { isStrict: true } as const);

/** The same for an object inside a record. */
export const partOf = <V>(fields: Fields<V>): Part<V> =>
  new Schema(definition(fields), { ...STRICT, _id: false } as never);

const definition = (fields: object): SchemaDefinition =>
  Object.fromEntries(
    Object.entries(fields as Record<string, object>).map(([name, field]) => [
      name,
      described(field),
    ]),
  );

function described(field: object): object {
  if ('orNull' in field) return { type: field.orNull, default: null };
  // A list that is missing is no empty list.
  if ('orMissing' in field) return { type: field.orMissing, default: undefined };
  return { type: field, required: true };
}
