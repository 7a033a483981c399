import type { Gauge } from '../metrics/metrics';
import { StompHandler } from '../stomp/stomp-handler';
import type { Socket } from '../ws/socket';

/** Metrics of the open sockets. They are counted when they are read, so that sockets cost nothing. */
export const socketGauges = (sockets: ReadonlySet<Socket>): readonly Gauge[] => [
  {
    name: 'hypha_sockets',
    help: 'Open sockets, by protocol.',
    labels: ['protocol'],
    read() {
      let stomp = 0;
      for (const { handler } of sockets) if (handler instanceof StompHandler) stomp += 1;
      return [
        { labels: { protocol: 'graphql' }, value: sockets.size - stomp },
        { labels: { protocol: 'stomp' }, value: stomp },
      ];
    },
  },
  {
    name: 'hypha_subscriptions',
    help: 'Active subscriptions of all sockets.',
    read() {
      let count = 0;
      for (const { handler } of sockets) count += handler?.subscriptionCount ?? 0;
      return [{ value: count }];
    },
  },
];
