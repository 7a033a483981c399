import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { EventBus } from '../../platform/events/bus';
import { NOTHING } from '../../platform/store/conjuncts';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { Store } from '../../platform/store/store';
import { SCHEDULES_TOPIC } from './schedule.events';
import type { SchedulesChanged } from './schedule.events';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';

/** Follows lists of schedules. */
export function createSchedulesChanging({ store, bus, schedules }: { readonly store: Store; readonly bus: EventBus; readonly schedules: Model<ScheduleRecord> }) {
  const list = createLiveList<ScheduleRecord>({
    model: schedules,
    isExclusive: store.isExclusive,
    listen: (note) => bus.subscribe<SchedulesChanged>(SCHEDULES_TOPIC, ({ scheduleIds }) => note(scheduleIds)),
    revision: ['version', 'claims', 'nextFireAt'],
    order: { field: 'titleKey', direction: 'asc' },
  });

  return {
    /**
     * What changes in a list of schedules, as far as the actor may see it at each moment, until the signal is aborted.
     * @throws BadInput while iterating: what no index serves in a long list
     */
    changes: (actor: () => Promise<Actor>, filter: Record<string, unknown>, { most, signal }: { readonly most: number; readonly signal: AbortSignal }): AsyncGenerator<ListChange<ScheduleRecord>, void, undefined> =>
      list({ filter, most, signal, within: async () => (allows(schedulePolicy.read, await actor()) ? {} : NOTHING) }),
  };
}
