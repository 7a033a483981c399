import type { Role } from '../../../config/roles';
import type { Clock } from '../../clock/clock';
import { isKnownDead } from '../process-name';
import type { Store } from '../store';

/** More than two beats: the process may be overloaded, ms. */
const LATE_MS = 12_000;
/** Silence after which a process counts as dead, ms. Clocks may differ by some seconds. */
export const DEAD_MS = 30_000;

/** `late`: it missed two beats. `dead`: it ended without stopping, or is silent for 30 seconds. */
export const PROCESS_STATES = ['alive', 'late', 'dead'] as const;
export type ProcessState = (typeof PROCESS_STATES)[number];

/** What a process writes about itself. */
export interface ProcessRecord {
  /** Also the owner of its runs. */
  readonly _id: string;
  readonly version: string;
  /** The highest number of its migrations. */
  readonly layout: number;
  readonly host: string;
  readonly pid: number;
  readonly roles: readonly Role[];
  readonly since: Date;
  readonly beatAt: Date;
  /** Id of the vault key that it encrypts with; null until it has one. */
  readonly keyId: string | null;
}

export interface ListedProcess extends ProcessRecord {
  readonly state: ProcessState;
}

export const processRecords = ({ connection }: Store) =>
  connection.collection<ProcessRecord>('processes');

export function stateOf(name: string, silentMs: number): ProcessState {
  if (silentMs > DEAD_MS || isKnownDead(name)) return 'dead';
  return silentMs > LATE_MS ? 'late' : 'alive';
}

/** Names a process for the operator. */
export const describeProcess = ({ host, pid, version }: ProcessRecord): string =>
  `host ${host}, pid ${pid}, version ${version}`;

/** @throws Error with a message for the operator: other processes use the store */
export async function requireIdleStore({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Clock;
}): Promise<void> {
  if (store.isExclusive) return;
  const now = clock.now().getTime();
  const records = await processRecords(store).find().toArray();
  const others = records.filter(
    ({ _id, beatAt }) => stateOf(_id, now - beatAt.getTime()) !== 'dead',
  );
  if (others.length > 0)
    throw new Error(
      `Other processes use this store: ${others.map(describeProcess).join('; ')}. Stop them and try again.`,
    );
}
