import type { InputPath } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { Author } from '../workflows/workflow.model';

/** A schedule, as messages tell of it. */
export interface NotifiedSchedule {
  readonly _id: number;
  readonly title: string;
  readonly enabled: boolean;
  readonly createdBy: Author;
}

export interface NotifiedSchedules {
  byId(id: number, tx: Tx): Promise<NotifiedSchedule | null>;
  /** @throws NotFound SCHEDULER_NOT_FOUND */
  get(id: number): Promise<unknown>;
  /**
   * Writes a schedule that gets a notification, so that a concurrent deletion conflicts.
   * @throws NotFound SCHEDULER_NOT_FOUND
   */
  claim(id: number, tx: Tx, path: InputPath): Promise<void>;
}
