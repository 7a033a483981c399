import { z } from 'zod';
import type { Config } from '../../config/config';
import type { Origin } from '../context';
import { presenter } from './presenters';

const endpoint = z.object({
  protocol: z.string().meta({
    description: '`http`, `https`, `ws` or `wss`; empty for the one the frontend was loaded with.',
  }),
  hostname: z.string().meta({ description: 'Empty for the same origin.' }),
  port: z
    .string()
    .meta({ description: 'Empty for the same origin, or for the standard port of the protocol.' }),
  prefix: z.string(),
});

/** What a frontend reads at start to find this service (spec 8). */
const FrontendSettings = z
  .object({ server: endpoint, socket: endpoint })
  .meta({ id: 'FrontendSettings' });
type FrontendSettings = z.infer<typeof FrontendSettings>;

type Settings = readonly [server: Config['server'], origin: Pick<Origin, 'ownOrigin' | 'baseUrl'>];

declare module './presenters' {
  interface Presenters {
    frontendSettings: Presenter<Settings>;
  }
}

/** Without a public URL, host and port are empty: frontends then use their own origin. */
export const documentedFrontendSettings = presenter(
  FrontendSettings,
  ({ publicUrl, pathPrefix }: Config['server'], { baseUrl }: Settings[1]) => {
    const url = publicUrl === null ? null : new URL(publicUrl);
    const location = { hostname: url?.hostname ?? '', port: url?.port ?? '' };
    const protocol = url?.protocol.replace(':', '') ?? '';
    return {
      server: { protocol, ...location, prefix: `${pathOf(baseUrl)}/api` },
      socket: { protocol: protocol.replace('http', 'ws'), ...location, prefix: `${pathPrefix}/ws` },
    };
  },
);

/**
 * Returns the settings for a released client: it adds no port to its own host name if `port` is
 * empty, and its socket library accepts only `http` and `https`.
 */
export function releasedSettings(
  { publicUrl }: Config['server'],
  { ownOrigin, baseUrl }: Settings[1],
): FrontendSettings {
  const own = new URL(ownOrigin);
  // The scheme and name of a request may be those between a proxy and the service.
  const isPublic = publicUrl !== null && new URL(publicUrl).origin === own.origin;
  const location = {
    protocol: isPublic ? own.protocol.replace(':', '') : '',
    hostname: isPublic ? own.hostname : '',
    port: own.port,
  };
  const path = pathOf(baseUrl);
  return {
    server: { ...location, prefix: `${path}/api` },
    socket: { ...location, prefix: `${path}/ws` },
  };
}

export const releasedFrontendSettings = presenter(FrontendSettings, releasedSettings);

const pathOf = (baseUrl: string): string => new URL(baseUrl).pathname.replace(/\/$/, '');
