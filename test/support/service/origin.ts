import type { Origin } from '../../../src/platform/context';

/** The origin of a request without a transport. */
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
