import type { Core } from '../../../platform/core';
import { unlessChanged } from '../../../platform/store/collection';
import type { StepPlace } from '../execution/run-engine';
import type { QueuedRun } from '../queue/run-queue';
import type { RunRecords } from '../run-records';
import type { RunRecord } from '../run.model';
import { RunLost } from './run-leases';
import type { RunLeases } from './run-leases';

/** A run that has not asked for anything is claimed after this time, ms: users see it RUNNING. */
const LATEST_MS = 50;

export interface RunClaimDependencies {
  readonly core: Pick<Core, 'store'>;
  readonly records: Pick<RunRecords, 'transactions'>;
  readonly leases: RunLeases;
  /** Called once, after the run was claimed. */
  readonly onClaimed: (run: RunRecord) => void;
  /** Called if the run was given back, since too many of its workflow are executed. */
  readonly onTooMany: () => void;
}

/**
 * The claim of a queued run by this process. It is written when something depends on it: the first
 * request of the run, its first stored events, or its end. A run that calls a fast system has sent
 * its first request before anything else, so that one write is enough.
 */
export class RunClaim {
  private claiming: Promise<RunRecord> | null = null;
  private run: RunRecord | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly deps: RunClaimDependencies,
    private readonly queued: QueuedRun,
  ) {}

  /** Whether the claim is written, or may be. */
  get isBegun(): boolean {
    return this.claiming !== null;
  }

  get isWritten(): boolean {
    return this.run !== null;
  }

  /**
   * Returns the run to execute. It is claimed soon, if nothing else does; at once if other processes
   * use the store, its record is not in memory, or it keeps a journal, whose parts belong to a claim.
   * @throws RunLost it is not queued any more
   */
  async begin(): Promise<RunRecord> {
    const { queued } = this;
    const canWait = this.deps.core.store.isExclusive && isWhole(queued);
    if (!canWait || queued.journalKey !== undefined) return this.write();
    this.timer = setTimeout(() => void this.write().catch(() => undefined), LATEST_MS).unref();
    return queued;
  }

  /** The run is not claimed any more, if it was not. */
  [Symbol.dispose](): void {
    clearTimeout(this.timer ?? undefined);
  }

  /**
   * Claims the run, once. Returns its record.
   * @param firstSend the step whose request is sent next: the run is never restarted then
   * @throws RunLost it is not queued any more
   */
  write(firstSend?: StepPlace | null): Promise<RunRecord> {
    this.claiming ??= this.claim(firstSend).then(
      (run) => {
        this.run = run;
        this.deps.onClaimed(run);
        return run;
      },
      (error: unknown) => {
        this.claiming = null;
        throw error;
      },
    );
    return this.claiming;
  }

  private async claim(firstSend: StepPlace | null | undefined): Promise<RunRecord> {
    const { records, leases } = this.deps;
    const { queued } = this;
    const claim = (): Promise<RunRecord | null> => leases.claim(queued._id, firstSend);
    const run = isWhole(queued)
      ? await unlessChanged(
          () =>
            records.transactions.together<RunRecord | null>((tx) =>
              Promise.resolve(leases.claimLater(queued, firstSend, tx)),
            ),
          claim,
        )
      : await claim();
    if (!run) throw new RunLost(`Run ${queued._id} is not queued any more.`);
    if (await leases.giveBackIfTooMany(run)) {
      this.deps.onTooMany();
      throw new RunLost(`Too many runs of the workflow of run ${run._id} are executed.`);
    }
    return run;
  }
}

/** Runs that were queued when the service started have some of their fields in memory only. */
const isWhole = (run: QueuedRun): run is RunRecord => 'fence' in run;
