import { z } from 'zod';
import type { Config } from '../../config/config';

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
export const FrontendSettings = z
  .object({ server: endpoint, socket: endpoint })
  .meta({ id: 'FrontendSettings' });
export type FrontendSettings = z.infer<typeof FrontendSettings>;

/** Without a public URL, host and port are empty: frontends then use their own origin. */
export function frontendSettings({ publicUrl, pathPrefix }: Config['server']): FrontendSettings {
  const url = publicUrl === null ? null : new URL(publicUrl);
  const place = { hostname: url?.hostname ?? '', port: url?.port ?? '' };
  const protocol = url?.protocol.replace(':', '') ?? '';
  return {
    server: { protocol, ...place, prefix: `${pathPrefix}/api` },
    socket: { protocol: protocol.replace('http', 'ws'), ...place, prefix: `${pathPrefix}/ws` },
  };
}
