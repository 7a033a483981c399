import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { Reply, route } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { SOCKJS_PREFIXES } from '../../platform/stomp/addresses';

const SocketInfo = z
  .object({
    websocket: z.literal(true),
    origins: z
      .array(z.string())
      .meta({ description: 'Of no meaning for clients; CORS says who may come.' }),
    cookie_needed: z.literal(false),
    entropy: z.int().meta({ description: 'A random number, for clients without one.' }),
  })
  .meta({ id: 'SocketInfo' });

/** What SockJS requests before it opens a WebSocket. No lookups: the socket checks the token. */
export function socketInfoRoutes(): Route[] {
  return SOCKJS_PREFIXES.map((prefix) =>
    route({
      method: 'get',
      alsoAtRoot: true,
      needs: 'public',
      tag: 'System',
      success: 200,
      cannotFailWith: ['INTERNAL_SERVER_ERROR'],
      path: `${prefix}/info`,
      summary: 'What SockJS asks first',
      description:
        'The socket of the frontends of the released lines, STOMP in SockJS, over WebSocket and nothing else: see `docs/clients.md`. A `token` in the address is not looked at here.',
      answer: SocketInfo,
      example: {},
      handle: () =>
        Promise.resolve(
          new Reply(
            {
              websocket: true,
              origins: ['*:*'],
              cookie_needed: false,
              entropy: randomInt(2 ** 32),
            },
            { 'Cache-Control': 'no-store, no-cache, no-transform, must-revalidate, max-age=0' },
          ),
        ),
    }),
  );
}
