import { hostname, networkInterfaces } from 'node:os';
import type { Config } from './config';

const LOOPBACK = ['localhost', '127.0.0.1', '::1', '::ffff:127.0.0.1'];
const WILDCARDS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Returns the base URLs of this service: its public URL, and the local addresses it listens on. */
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
  // Normalised as calls have them: without default ports, host names in lower case.
  return all.flatMap((url) => (URL.canParse(url) ? [new URL(url).href] : []));
}
