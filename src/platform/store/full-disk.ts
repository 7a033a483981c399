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
 * What the embedded store writes even if the disk is nearly full: what deletes, sign-in, sign-out,
 * exports and a restart add, and the ends of runs.
 */
export const NECESSARY_COLLECTIONS = {
  added: ['audit_events', 'leases', 'login_challenges', 'run_counters', 'sequences', 'sessions'],
  changed: ['runs'],
} as const;

/** Mutations that are served then: they free space, concern sessions, or store nothing. */
const SERVED_MUTATIONS =
  /^(?:\w+(?:Delete|Revoke|IconRemove|PictureRemove)|login|loginConfirm|logout|runCancel|serviceRestart|sessionEnd|userSessionsEnd|connectorCheck|ldapTest|workflowExport)$/;

export const isServedOnFullDisk = (mutation: string): boolean => SERVED_MUTATIONS.test(mutation);
