import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { RunRecord } from '../runs/run.model';

export interface StartedSchedule {
  readonly _id: number;
  readonly workflowId: number;
}

/** The schedules that have webhooks. */
export interface SchedulesOfWebhooks {
  byId(id: number): Promise<StartedSchedule | null>;
  /**
   * Writes a schedule that gets a webhook, so that a concurrent deletion conflicts.
   * @throws NotFound SCHEDULER_NOT_FOUND
   */
  claim(id: number, tx: Tx, path: InputPath): Promise<void>;
  /** Writes schedules that lost their webhook, so that subscribers are notified. */
  release(ids: readonly number[], tx: Tx): Promise<void>;
}

/** Starts schedules. */
export interface ScheduleStarter {
  /**
   * Resolves as soon as the run is queued.
   * @throws NotFound    SCHEDULER_NOT_FOUND
   * @throws TooLarge    if the parameters are too large
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  fire(
    id: number,
    start: {
      readonly trigger: 'WEBHOOK';
      readonly parameters: string | undefined;
      readonly actor: null;
      readonly depth: number;
      readonly trace?: string;
    },
  ): Promise<RunRecord>;
}
