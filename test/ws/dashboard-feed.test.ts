import { createInProcessBus } from '../../src/platform/events/bus';
import { DashboardFeed } from '../../src/features/widgets/dashboard-feed';
import { RUN_TOPIC } from '../../src/features/runs/run.events';
import { FanOut, Subscriber } from '../../src/platform/graphql/subscriptions/fan-out';
import { SharedResult } from '../../src/platform/graphql/subscriptions/shared-results';

/** A feed and a function that ends a run. */
function createFeed() {
  const bus = createInProcessBus(() => undefined);
  let executions = 0;
  const widgets = {
    executionsTimeline: async () => [{ executions }],
    topWorkflows: async () => [],
    runningNow: async () => [],
    today: () => '2026-05-01',
  };
  const feed = new DashboardFeed({ bus, widgets: widgets as any, store: { isExclusive: true } });
  return {
    feed,
    change: (): void => {
      executions += 1;
      bus.publish(RUN_TOPIC, { runId: executions, workflowId: 1, test: false, state: 'SUCCEEDED' });
    },
  };
}

describe('the dashboard feed', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('sends the first snapshot at once and the next one half a second later at the earliest', async () => {
    const { feed, change } = createFeed();
    const ending = new AbortController();
    const events = feed.follow(7, 5, ending.signal).topic;
    const alone = events.open(events.start, ending.signal);
    const first = await alone.next();
    change();
    // A group of equal subscribers reads from the position of its first member.
    const group = events.open(events.placeOf(first.value), ending.signal);
    let sent: any = null;
    const next = group.next().then(({ value }) => {
      sent = value;
    });
    await jest.advanceTimersByTimeAsync(499);
    expect(sent).toBeNull();
    change();
    await jest.advanceTimersByTimeAsync(1);
    await next;
    expect(sent.timeline).toEqual([{ executions: 2 }]);
    ending.abort();
  });

  it.each([10, 250, 490])(
    'sends at most two snapshots a second to a subscriber that joins %d ms after the last one, and the last one shows the last change',
    async (joinsAfter) => {
      const { feed, change } = createFeed();
      const fanOut = new FanOut();
      const abort = new AbortController();
      const follows = (): number[] => {
        const at: number[] = [];
        const note = (): boolean => at.push(performance.now()) > 0;
        const subscriber = new Subscriber({
          source: feed.follow(7, 5, abort.signal),
          abort,
          operationKey: 'all',
          token: undefined,
          resultOf: async () => new SharedResult({}, 'group'),
          formatError: (error) => {
            throw error;
          },
          sink: { send: async () => void note(), trySend: note },
          reportsSessionEnd: false,
        });
        void fanOut.serve(subscriber);
        return at;
      };
      const first = follows();
      await jest.advanceTimersByTimeAsync(700);
      change();
      await jest.advanceTimersByTimeAsync(joinsAfter);
      const joined = follows();
      for (let time = 0; time < 400; time += 1) {
        change();
        await jest.advanceTimersByTimeAsync(10);
      }
      const lastChange = performance.now();
      await jest.advanceTimersByTimeAsync(1_000);
      for (const at of [first, joined]) {
        const [gaps, last] = [at.slice(2).map((time, nth) => time - at[nth]), at.at(-1) as number];
        expect(Math.min(...gaps)).toBeGreaterThanOrEqual(999);
        expect(at.length).toBeGreaterThanOrEqual(8);
        expect(last).toBeGreaterThanOrEqual(lastChange - 10);
      }
      abort.abort();
    },
  );
});
