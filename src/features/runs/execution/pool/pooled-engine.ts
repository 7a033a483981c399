import { ChildPool } from '../../../../platform/child-process/child-pool';
import type { RunEngine, RunOutcome, RunSeat, RunTask, Supervision } from '../run-engine';
import { outcomeOfDeath, outcomeOfStart } from './child-death';
import { EngineChild } from './engine-child';
import type { ChildOptions } from './engine-child';

export interface PoolOptions extends ChildOptions {
  readonly most: number;
  /** Number of children kept ready while there are no runs. */
  readonly warm: number;
  /** Idle time after which a surplus child, or one that runs have left large, is stopped, ms. */
  readonly idleMs: number;
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Executes each run in its own process, so that a run which exhausts memory or never returns ends
 * alone.
 * A child executes one run at a time and is reused only after a clean end. Children are started
 * ahead of need.
 */
export class PooledEngine implements RunEngine {
  private readonly pool: ChildPool<EngineChild>;

  constructor(options: PoolOptions) {
    const { most, warm, idleMs } = options;
    const start = (): EngineChild => new EngineChild(options);
    this.pool = new ChildPool({ start, most, warm, idleMs, purpose: 'for the run' });
  }

  async reserve(signal: AbortSignal): Promise<RunSeat> {
    let child = await this.pool.take(signal);
    return {
      execute: async (task, supervision) => {
        const done = await this.executeIn(child, task, supervision);
        child = done.child;
        return done.outcome;
      },
      release: () => this.pool.release(child),
    };
  }

  startState(): string {
    const { failedInRow, lastFailure, startingSince } = this.pool.startState;
    if (failedInRow > 0)
      return `The last ${failedInRow} processes for runs did not start: ${messageOf(lastFailure)} The service tries again.`;
    if (startingSince === null) return 'The process of the run is starting.';
    const seconds = Math.round((performance.now() - startingSince) / 1_000);
    return `The process of the run has been starting for ${seconds} s.`;
  }

  waitingRuns(): number {
    return this.pool.all.filter((child) => child.isWaiting).length;
  }

  warm(): void {
    this.pool.grow();
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  /** If the child is gone before the run begins, another one is awaited. */
  private async executeIn(
    reserved: EngineChild,
    task: RunTask,
    supervision: Supervision,
  ): Promise<{ child: EngineChild; outcome: RunOutcome }> {
    const { signal } = supervision;
    let child = reserved;
    try {
      signal.throwIfAborted();
      if (!child.isUsable) child = await this.pool.take(signal);
    } catch (error) {
      if (signal.aborted) return { child, outcome: outcomeOfDeath({ code: 'CANCELLED' }, 0) };
      const outcome = this.pool.isClosed
        ? outcomeOfDeath({ code: 'RUN_INTERRUPTED' }, 0)
        : outcomeOfStart(error);
      return { child, outcome };
    }
    return { child, outcome: await child.execute(task, supervision) };
  }
}
