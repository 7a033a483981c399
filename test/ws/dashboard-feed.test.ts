import { createInProcessBus } from '../../src/platform/events/bus';
import { DashboardFeed } from '../../src/features/widgets/dashboard-feed';
import { RUN_TOPIC } from '../../src/features/runs/run.events';
import type { SharedEvents } from '../../src/platform/events/shared-events';
import { LiveGroups } from '../../src/platform/graphql/live-group';
import { LiveMember } from '../../src/platform/graphql/live-member';

/** A house in which a run ends with each change. */
function house() {
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

describe('snapshots of the dashboard', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('come at once to whoever has seen none, and to whoever goes on from one half a second later at the earliest', async () => {
    const { feed, change } = house();
    const ending = new AbortController();
    const events = feed.follow(7, 5, ending.signal);
    const alone = events.open(events.start, ending.signal);
    const first = await alone.next();
    change();
    // As a group of equal subscribers does, which reads for all of them from where the first one stands.
    const group = events.open(events.placeOf(first.value), ending.signal);
    let told: any = null;
    const next = group.next().then(({ value }) => {
      told = value;
    });
    await jest.advanceTimersByTimeAsync(499);
    expect(told).toBeNull();
    change();
    await jest.advanceTimersByTimeAsync(1);
    await next;
    expect(told.timeline).toEqual([{ executions: 2 }]);
    ending.abort();
  });

  it.each([10, 120, 250, 380, 490])(
    'come at most twice a second to whoever joins others %d ms after they were told, and the last of them shows the last change',
    async (joinsAfter) => {
      const { feed, change } = house();
      const groups = new LiveGroups(async () => Buffer.from(''));
      const ending = new AbortController();
      const follows = (): number[] => {
        const at: number[] = [];
        const tell = (): boolean => at.push(performance.now()) > 0;
        const look = async () => ({ state: 'anonymous' }) as const;
        const member = new LiveMember(
          feed.follow(7, 5, ending.signal) as SharedEvents<any>,
          ending.signal,
          groups,
          {
            question: 'all',
            token: undefined,
            looks: { before: look, after: look },
            answer: async () => ({}),
            tell,
          },
        );
        void (async () => {
          for await (const _ of member) tell();
        })();
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
      ending.abort();
    },
  );
});
