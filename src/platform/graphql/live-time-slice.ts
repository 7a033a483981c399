import { SharedTimeSlice } from '../event-loop';

/**
 * Shared by all GraphQL subscriptions: many events for many subscribers would delay other callers
 * for too long.
 */
export const LIVE_TIME_SLICE = new SharedTimeSlice();
