import { text } from './forms';
import { optional, setting } from './setting';
import type { ValuesOf } from './setting';

/** A Redis that carries hints between the processes at one store. */
export interface RedisConfig {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  /** Empty: the default user. */
  readonly username: string;
  /** Empty: no login. */
  readonly password: string;
  /** Of the names of channels. */
  readonly prefix: string;
}

const REDIS_URL = /^(redis|rediss):$/;
const DEFAULT_PORT = 6_379;

/** Channels belong to no database, so the number of one changes nothing. */
function parseRedisUrl(value: string): Omit<RedisConfig, 'prefix'> | null {
  try {
    const url = new URL(value);
    if (!REDIS_URL.test(url.protocol) || url.hostname === '') return null;
    if (!/^(?:\/\d*)?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return null;
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? DEFAULT_PORT : Number(url.port),
      isEncrypted: url.protocol === 'rediss:',
      username: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    };
  } catch {
    return null;
  }
}

export const REDIS_SETTINGS = {
  redisUrl: optional(
    '<product>.redis.url',
    text(
      'redis://user:password@host:port, or rediss:// with TLS; without a query',
      (value) => parseRedisUrl(value) !== null,
    ),
    { env: 'REDIS_URL', secret: true },
  ),
  redisPrefix: setting(
    '<product>.redis.prefix',
    text('1 to 100 printable ASCII characters without blanks', (value) =>
      /^[\x21-\x7e]{1,100}$/.test(value),
    ),
    'hypha:',
  ),
} as const;

type Values = ValuesOf<typeof REDIS_SETTINGS> & {
  readonly mongodbUri: string | null;
  readonly shareStore: boolean;
};

const isStoreShared = ({ mongodbUri, shareStore }: Values): boolean =>
  mongodbUri !== null || shareStore;

/** Returns null unless several processes can share the store. */
export function redisOf(values: Values): RedisConfig | null {
  const { redisUrl, redisPrefix } = values;
  const server = redisUrl !== null && isStoreShared(values) ? parseRedisUrl(redisUrl) : null;
  return server && { ...server, prefix: redisPrefix };
}

/** Returns a warning if the setting has no effect. */
export const redisWarnings = (values: Values, product: string): string[] =>
  values.redisUrl !== null && !isStoreShared(values)
    ? [
        `${product}.redis.url is not used, since the embedded store serves one process; it needs ${product}.data.mongodb-uri or ${product}.data.share-store`,
      ]
    : [];
