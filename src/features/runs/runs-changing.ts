import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { EventBus } from '../../platform/events/bus';
import { createLiveList } from '../../platform/store/live-list';
import type { ListChange } from '../../platform/store/live-list';
import type { Store } from '../../platform/store/store';
import type { RunChanged, RunLogsGone, RunsRemoved } from './run.events';
import { RUN_LOGS_GONE_TOPIC, RUN_TOPIC, RUNS_REMOVED_TOPIC } from './run.events';
import type { RunRecord } from './run.model';
import { requireListVisible, visibleRuns } from './run.policy';

export function createRunsChanging({
  store,
  bus,
  runs,
}: {
  readonly store: Store;
  readonly bus: EventBus;
  readonly runs: Model<RunRecord>;
}) {
  const list = createLiveList<RunRecord>({
    model: runs,
    isExclusive: store.isExclusive,
    listen(note) {
      const stops = [
        bus.subscribe<RunChanged>(RUN_TOPIC, ({ runId }) => note([runId])),
        bus.subscribe<RunsRemoved>(RUNS_REMOVED_TOPIC, ({ runIds }) => note(runIds)),
        bus.subscribe<RunLogsGone>(RUN_LOGS_GONE_TOPIC, ({ runIds }) => note(runIds)),
      ];
      return () => stops.forEach((stop) => stop());
    },
    revision: ['state', 'startedAt', 'logOf'],
    order: { field: 'queuedAt', direction: 'desc', isDefault: true },
  });

  return {
    /**
     * Changes of a list of runs, as far as the actor may see them at each moment, until the signal
     * aborts.
     * @throws BadInput while iterating, if no index supports the filter and the list is long
     * @throws Forbidden at the first iteration, for actors who may see only their own tests and do
     * not ask for tests
     */
    async *changes(
      actor: () => Promise<Actor>,
      filter: Record<string, unknown>,
      {
        includeTest,
        most,
        signal,
      }: { readonly includeTest: boolean; readonly most: number; readonly signal: AbortSignal },
    ): AsyncGenerator<ListChange<RunRecord>, void, undefined> {
      requireListVisible(await actor(), { includeTest });
      yield* list({
        filter,
        most,
        signal,
        within: async () => visibleRuns(await actor(), { includeTest }),
      });
    },
  };
}
