import type { UserRecord } from './user.model';

/**
 * Kinds of keys of an entry, the strongest first: ids of OpenLDAP and Active Directory, which are
 * never used again, and the distinguished name.
 */
const KINDS = ['entryUUID', 'objectGUID', 'dn'] as const;

const kindOf = (key: string): string => key.slice(0, key.indexOf('='));

/**
 * Returns whether an account is that of an entry: the strongest kind of key that both have decides.
 * Servers of one directory may show different kinds. So an account that is known by its `entryUUID`
 * is found by its distinguished name if the server shows no `entryUUID`; an entry with the same name
 * and another `entryUUID` was created again, and is another person.
 */
export function belongsTo(
  { directoryKeys = [] }: Pick<UserRecord, 'directoryKeys'>,
  entryKeys: readonly string[],
): boolean {
  const stored = new Map(directoryKeys.map((key) => [kindOf(key), key]));
  const shared = entryKeys.find((key) => stored.has(kindOf(key)));
  return shared !== undefined && stored.get(kindOf(shared)) === shared;
}

/**
 * Returns the keys of an entry, and of its accounts those of the kinds that the server does not show.
 */
export function latestKeys(
  entryKeys: readonly string[],
  accounts: readonly UserRecord[],
): string[] {
  const keys = [...entryKeys, ...accounts.flatMap(({ directoryKeys = [] }) => directoryKeys)];
  return KINDS.flatMap((kind) => keys.find((key) => kindOf(key) === kind) ?? []);
}
