import type { Origin } from '../../src/platform/context';

/** Where a request comes from that went through no door. */
export const ORIGIN: Origin = {
  requestId: 'test',
  clientRequestId: null,
  address: '127.0.0.1',
  network: '127.0.0.1',
  userAgent: 'test',
  ownOrigin: 'http://127.0.0.1',
  baseUrl: 'http://127.0.0.1',
  foreignPage: false,
};
