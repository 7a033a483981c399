import type { Destination } from '../../platform/stomp/destination';

/** Notifies the frontend when its session ends. */
export const sessionDestinations: readonly Destination[] = [
  { path: '/user/session', needs: 'authenticated', farewell: { event: 'FORCE_LOGOUT' } },
];
