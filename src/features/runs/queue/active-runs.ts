import type { Actor } from '../../../platform/access/actor';
import { settledWithin } from '../../../platform/queues';
import { INTERRUPTED } from '../execution/run-engine';

/** After this time, ms, a computing run counts as half of one. */
export const LONG_MS = 5_000;
/** Maximum time a stop waits for the run to end, ms. */
export const STOP_MS = 5_000;

/** Why a run was stopped from outside. */
export type StopReason =
  { readonly kind: 'cancelled'; readonly by: Actor | null } | { readonly kind: 'interrupted' };

/**
 * How much of a processor a run needs: all while it begins or executes, some while it waits for the
 * service to store that it sends something, none when only its end has to be stored.
 */
export const PROCESSOR_SHARE = { executing: 1, storing: 0.3, ended: 0 } as const;
type ProcessorShare = (typeof PROCESSOR_SHARE)[keyof typeof PROCESSOR_SHARE];

/** A run that has a slot in this process. */
export class ActiveRun {
  readonly abort = new AbortController();
  stop: StopReason | null = null;
  /** The run has a slot but no process yet; in the store it is QUEUED. */
  isWaiting = true;
  /** A request was sent, or may have been. */
  hasSent = false;
  processorShare: ProcessorShare = PROCESSOR_SHARE.executing;
  readonly begunAt = performance.now();
  readonly ended: Promise<void>;
  /** Resolves with whether this process executes the run. */
  readonly claimed: Promise<boolean>;
  private resolveEnded: () => void = () => undefined;
  private resolveClaimed: (isOurs: boolean) => void = () => undefined;

  constructor() {
    this.ended = new Promise((resolve) => {
      this.resolveEnded = resolve;
    });
    this.claimed = new Promise((resolve) => {
      this.resolveClaimed = resolve;
    });
  }

  markClaimed(isOurs: boolean): void {
    this.resolveClaimed(isOurs);
  }

  markEnded(): void {
    this.resolveClaimed(false);
    this.resolveEnded();
  }

  interrupt(): void {
    this.stop ??= { kind: 'interrupted' };
    this.abort.abort(INTERRUPTED);
  }

  /** Resolves when the run has ended, or takes too long. */
  async stopFor(reason: StopReason): Promise<void> {
    this.stop ??= reason;
    this.abort.abort();
    await settledWithin(this.ended, STOP_MS);
  }
}

/** The runs that have a slot in this process, by id. */
export class ActiveRuns {
  private readonly runs = new Map<number, ActiveRun>();

  begin(id: number): ActiveRun {
    const entry = new ActiveRun();
    this.runs.set(id, entry);
    return entry;
  }

  end(id: number): void {
    this.runs.get(id)?.markEnded();
    this.runs.delete(id);
  }

  has(id: number): boolean {
    return this.runs.has(id);
  }

  get(id: number): ActiveRun | undefined {
    return this.runs.get(id);
  }

  all(): ActiveRun[] {
    return [...this.runs.values()];
  }

  /** What the runs spare of one processor for each, and how many execute for long. */
  processorUse(): { spared: number; long: number } {
    const longSince = performance.now() - LONG_MS;
    let [spared, long] = [0, 0];
    for (const { processorShare, begunAt } of this.runs.values()) {
      spared += 1 - processorShare;
      if (processorShare === PROCESSOR_SHARE.executing && begunAt < longSince) long += 1;
    }
    return { spared, long };
  }

  /** Ids of the runs that are not stopped. */
  unstoppedIds(): number[] {
    return [...this.runs].flatMap(([id, { stop }]) => (stop === null ? [id] : []));
  }

  /**
   * Cancels a run, if this process executes it, and returns whether it does. Resolves when the run
   * has ended, or takes too long.
   */
  async cancel(id: number, by: Actor | null): Promise<boolean> {
    const entry = this.runs.get(id);
    if (!entry) return false;
    const stopped = entry.stopFor({ kind: 'cancelled', by });
    if (!(await entry.claimed)) return false;
    await stopped;
    return true;
  }
}
