import type { Space } from '@hypha/embedded-mongo';

/** Whether the store has space for more records. */
export interface StorageState {
  /** True while only deletes, sign-in, sign-out and reads are served. */
  isFull(): boolean;
}

export const NEVER_FULL: StorageState = { isFull: () => false };

export const storageStateOf = (space: (() => Space) | null): StorageState =>
  space === null ? NEVER_FULL : { isFull: () => space().level !== 'enough' };

/**
 * What the embedded store writes even if the disk is nearly full, besides deletes and small changes:
 * what deletes, sign-in, sign-out, exports and a restart add. The ends of runs may not take all of
 * the reserve.
 */
export const NECESSARY_COLLECTIONS = {
  added: [
    'attempts',
    'audit_events',
    'fingerprints',
    'leases',
    'login_challenges',
    'processes',
    'run_counters',
    'sequences',
    'sessions',
  ],
  changed: ['runs'],
} as const;
