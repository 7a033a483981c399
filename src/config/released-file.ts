import { KnownKeys } from './known-keys';
import { SETTINGS } from './settings';
import type { Setting } from './settings';
import { relaxed } from './setting';
import type { FlatKeys } from './setting';

/** Misspelt keys of released files, and how they are spelt now. Neither is used here. */
const CORRECTED: readonly (readonly [string, string])[] = [
  ['spring.jpa.hibernate.dll-auto', 'spring.jpa.hibernate.ddl-auto'],
  ['spring.web.resources.add-mappings=false', 'spring.web.resources.add-mappings: false'],
];
/** Only files of a released installation configure this database. */
const RELEASED_DATABASE = 'spring.datasource.';

/** Returns the keys of a file that belong to a released installation and have no effect here. */
export function unusedKeys(keys: FlatKeys, product: string): string[] {
  const knownKeys = new KnownKeys(product);
  return [...keys.keys()].filter((key) => !knownKeys.isSetting(key) && knownKeys.isElsewhere(key));
}

/**
 * Returns the warnings about a file that was taken over from a released installation.
 * @param unused see `unusedKeys`
 */
export function releasedFileWarnings(
  keys: FlatKeys,
  unused: readonly string[],
  product: string,
  file: string,
): string[] {
  const has = (prefix: string): boolean => unused.some((key) => key.startsWith(prefix));
  return [
    ...CORRECTED.filter(([old]) =>
      unused.some((key) => key === old || key.startsWith(`${old}:`)),
    ).map(([old, key]) => `${file}: ${old} is misspelt; the key is ${key}. It is not used here`),
    ...quotedFlags(keys, product).map(
      ([key, value]) =>
        `${file}: ${key} = "${value}" is a text in quotation marks. It is read as ${value}; write it without them`,
    ),
    ...(has(RELEASED_DATABASE) || has('spring.data.mongodb')
      ? [
          `${file}: the databases of spring.datasource and spring.data.mongodb are not opened. Set ${product}.data.mongodb-uri to use a MongoDB`,
        ]
      : []),
    ...(has(`${product}.service_portal.`)
      ? [
          `${file}: the portal of ${product}.service_portal speaks another protocol and is not used. Set ${product}.online-services.url and token for a portal of invokers and templates`,
        ]
      : []),
    ...(unused.length === 0
      ? []
      : [
          `${file}: ${unused.length} keys of a released installation are not used: ${unused.join(', ')}`,
        ]),
  ];
}

/** Booleans that are written as texts, as files of released versions before 5.0 have them. */
function quotedFlags(keys: FlatKeys, product: string): [string, string][] {
  const flags = new Set(
    Object.values(SETTINGS)
      .filter(({ form }: Setting<unknown>) => form.accepts === 'true or false')
      .map(({ key }) => relaxed(key.replace('<product>', product))),
  );
  return [...keys].flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' && flags.has(relaxed(key)) ? [[key, value]] : [],
  );
}

/** HS256 needs a key of at least 32 bytes, the size of the hash. */
export const SHORTEST_SECRET_BYTES = 32;

/**
 * Returns why a token secret must not be used, or null. The secret in a file of a released
 * installation may be the one that is shipped with the release, so everybody knows it.
 */
export function secretWeakness(
  secret: string,
  source: 'environment' | 'file',
  keys: FlatKeys,
): string | null {
  if (Buffer.byteLength(secret) < SHORTEST_SECRET_BYTES)
    return `is shorter than ${SHORTEST_SECRET_BYTES} bytes`;
  const isReleased =
    source === 'file' && [...keys.keys()].some((key) => key.startsWith(RELEASED_DATABASE));
  return isReleased ? 'is that of a released installation, which may be known to others' : null;
}
