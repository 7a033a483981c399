import type { Clock } from './clock/clock';
import type { EventBus } from './events/bus';
import type { Logger } from './log/logger';
import type { Store } from './store/store';

/** What nearly every service needs. */
export interface Core {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly log: Logger;
}
