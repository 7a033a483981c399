import type { Destination } from '../../platform/stomp/destination';

/** Tells the frontend that it is signed in no more. */
export const sessionDestinations: readonly Destination[] = [
  { path: '/user/session', needs: 'authenticated', farewell: { event: 'FORCE_LOGOUT' } },
];
