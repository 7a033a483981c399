import { mongo, Schema } from 'mongoose';

/**
 * Returns the value of a field as it is stored, with the defaults of missing values. Objects of any
 * shape are not copied.
 * @throws TypeError the value has another type
 */
type FieldCopy = (value: unknown) => unknown;

/** The fields of a record, or of an object within a record. */
export type FieldCopies = ReadonlyMap<string, FieldCopy>;

type Check = (value: unknown) => boolean;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const CHECKS: ReadonlyMap<unknown, Check> = new Map<unknown, Check>([
  [String, (value) => typeof value === 'string'],
  [Number, (value) => typeof value === 'number' && !Number.isNaN(value)],
  [Boolean, (value) => typeof value === 'boolean'],
  [Date, (value) => value instanceof Date && !Number.isNaN(value.getTime())],
  // Binary: as read from the store.
  [Buffer, (value) => value instanceof Uint8Array || value instanceof mongo.Binary],
  [Schema.Types.Mixed, isObject],
]);

/** @param fields as for `schemaOf` */
export const fieldCopiesOf = (fields: object): FieldCopies =>
  new Map(
    Object.entries(fields).map(([name, field]) => [name, copyOfField(name, field as object)]),
  );

function copyOfField(name: string, field: object): FieldCopy {
  if ('orNull' in field) {
    const copy = copyOfKind(name, field.orNull);
    return (value) => (value == null ? null : copy(value));
  }
  if ('orMissing' in field) {
    const copy = copyOfKind(name, field.orMissing);
    return (value) => (value == null ? value : copy(value));
  }
  return copyOfKind(name, field);
}

function copyOfKind(name: string, kind: unknown): FieldCopy {
  const wrongType = (value: unknown): TypeError =>
    new TypeError(`The field "${name}" of a record cannot be a value of type ${typeof value}.`);
  if (Array.isArray(kind)) {
    const copy = copyOfKind(name, kind[0]);
    return (value) => {
      if (!Array.isArray(value)) throw wrongType(value);
      return value.map(copy);
    };
  }
  if (kind instanceof Schema) {
    const { copies } = kind as Schema & { readonly copies: FieldCopies };
    return (value) => {
      if (!isObject(value)) throw wrongType(value);
      return copyFields(copies, value);
    };
  }
  const check = CHECKS.get(kind);
  if (!check) throw new TypeError(`The field "${name}" has an unknown type.`);
  return (value) => {
    if (!check(value)) throw wrongType(value);
    return value;
  };
}

/** @throws TypeError a field is unknown, missing or has another type */
export function copyFields(copies: FieldCopies, record: object): Record<string, unknown> {
  requireKnown(copies, record);
  const stored: Record<string, unknown> = {};
  for (const [name, copy] of copies) {
    const value = copy((record as Record<string, unknown>)[name]);
    if (value !== undefined) stored[name] = value;
  }
  return stored;
}

/** The same for some fields; those that are undefined are omitted. */
export function copySomeFields(copies: FieldCopies, record: object): Record<string, unknown> {
  requireKnown(copies, record);
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record))
    if (value !== undefined) stored[name] = copies.get(name)?.(value);
  return stored;
}

function requireKnown(copies: FieldCopies, record: object): void {
  for (const name of Object.keys(record))
    if (!copies.has(name)) throw new TypeError(`The record has no field "${name}".`);
}
