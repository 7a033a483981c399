import { SharedTurn } from '../shared-turn';

/** Of all subscriptions: what many runs tell at once, and what it is told to many, is more than other callers can wait for. */
export const LIVE_TURN = new SharedTurn();
