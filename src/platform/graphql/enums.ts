import { registerEnumType } from 'type-graphql';

/** Names of the values, each with the value that is stored. */
type EnumOf<V extends string> = Readonly<Record<string, V>>;

/** `session.end-all` and `UserGroup` as names of enum values: `SESSION_END_ALL`, `USER_GROUP`. */
export const enumName = (value: string): string =>
  value
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[.-]/g, '_')
    .toUpperCase();

/**
 * The GraphQL enum of a closed set, made of the list of its values with what each means, so that what is stored and what is offered are
 * the same: `enumOf(RUN_ERROR_CODES, 'RunErrorCode', '…')`.
 */
export function enumOf<V extends string>(
  meanings: Readonly<Record<V, string>>,
  name: string,
  description: string,
): EnumOf<V> {
  const values = Object.keys(meanings) as V[];
  const type = Object.fromEntries(values.map((value) => [enumName(value), value]));
  registerEnumType(type, {
    name,
    description,
    valuesConfig: Object.fromEntries(
      values.map((value) => [enumName(value), { description: meanings[value] }]),
    ),
  });
  return type;
}
