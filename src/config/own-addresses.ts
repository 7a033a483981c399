import { hostname, networkInterfaces } from 'node:os';
import type { Config } from './config';

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** What URLs of this service begin with: its public URL, and the addresses of this machine that it listens at. */
export function ownAddresses(
  { host, publicUrl }: Pick<Config['server'], 'host' | 'publicUrl'>,
  port: number,
): string[] {
  const listened = WILDCARDS.has(host)
    ? [
        hostname(),
        ...Object.values(networkInterfaces()).flatMap((each) =>
          (each ?? []).map(({ address }) => address),
        ),
      ]
    : [host];
  const local = [...new Set([...LOOPBACK, ...listened])].map(
    (name) => `http://${name.includes(':') ? `[${name}]` : name}:${port}/`,
  );
  const all = publicUrl === null ? local : [...local, `${publicUrl.replace(/\/$/, '')}/`];
  // As calls have it: a port that is the protocol's own is left out, names are in lower case.
  return all.flatMap((url) => (URL.canParse(url) ? [new URL(url).href] : []));
}
