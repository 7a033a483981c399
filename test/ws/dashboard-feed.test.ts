import { createInProcessBus } from '../../src/platform/events/bus';
import { createDashboardFeed } from '../../src/features/widgets/dashboard-feed';
import { RUN_TOPIC } from '../../src/features/runs/run.events';

/** A house in which a run ends with each change. */
function house() {
  const bus = createInProcessBus(() => undefined);
  let executions = 0;
  const widgets = { executionsTimeline: async () => [{ executions }], topWorkflows: async () => [], runningNow: async () => [], today: () => '2026-05-01' };
  const feed = createDashboardFeed({ bus, widgets: widgets as any, store: { isExclusive: true } });
  return {
    feed,
    change: (): void => {
      executions += 1;
      bus.publish(RUN_TOPIC, { runId: executions, workflowId: 1, test: false, state: 'SUCCEEDED' });
    },
  };
}

describe('snapshots of the dashboard', () => {
  beforeEach(() => { jest.useFakeTimers(); });
  afterEach(() => { jest.useRealTimers(); });

  it('come at once to whoever has seen none, and to whoever goes on from one half a second later at the earliest', async () => {
    const { feed, change } = house();
    const ending = new AbortController();
    const events = feed(7, 5, ending.signal);
    const alone = events.open(events.start, ending.signal);
    const first = await alone.next();
    change();
    // As a group of equal subscribers does, which reads for all of them from where the first one stands.
    const group = events.open(events.placeOf(first.value), ending.signal);
    let told: any = null;
    const next = group.next().then(({ value }) => { told = value; });
    await jest.advanceTimersByTimeAsync(499);
    expect(told).toBeNull();
    change();
    await jest.advanceTimersByTimeAsync(1);
    await next;
    expect(told.timeline).toEqual([{ executions: 2 }]);
    ending.abort();
  });
});
