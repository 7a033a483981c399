import { registerEnumType } from 'type-graphql';

/** Names of the values, each with the value that is stored. */
type EnumOf<V extends string> = Readonly<Record<string, V>>;

/** `session.end-all` becomes `SESSION_END_ALL`, and `UserGroup` becomes `USER_GROUP`. */
export const enumName = (value: string): string =>
  value
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .replace(/[.-]/g, '_')
    .toUpperCase();

/**
 * Creates the GraphQL enum of a closed set from its values and their meanings, so that stored and
 * offered values are the same: `enumOf(RUN_ERROR_CODES, 'RunErrorCode', '…')`.
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
