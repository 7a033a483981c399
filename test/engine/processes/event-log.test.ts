import { EngineError } from '../../../src/engine/errors';
import type { RunEvent } from '../../../src/engine';
import { EventLog } from '../../../src/engine/run/event-log';
import { RunSecrets } from '../../../src/engine/secrets/run-secrets';
import { answering, httpStep, loopStep, ofKind, runWith, workflow } from '../support/run';

const warning = (message: string): RunEvent => ({
  kind: 'RunLog',
  level: 'WARN',
  stepId: null,
  index: null,
  message,
});
const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** A log and the events it has delivered so far. */
function opened(
  emit: (message: string) => void | Promise<void> = () => undefined,
  maxEvents = 100,
) {
  const delivered: [number, string, number][] = [];
  let time = 0;
  const log = new EventLog(
    {
      clock: { now: () => new Date((time += 1)) },
      emit: (event, { sequence, at }) => {
        const { message } = event as { message: string };
        delivered.push([sequence, message, at.getTime()]);
        return emit(message);
      },
    },
    new RunSecrets(),
    maxEvents,
  );
  return { log, delivered };
}

describe('delayed events of a run', () => {
  it('are delivered two iterations of the event loop later with their own time, or before the next undelayed event', async () => {
    const { log, delivered } = opened();
    void log.later(warning('a'));
    void log.later(() => warning('b'));
    expect(delivered).toEqual([]);
    await turns(2);
    expect(delivered).toEqual([
      [1, 'a', 1],
      [2, 'b', 2],
    ]);
    void log.later(warning('c'));
    void log.emit(warning('d'));
    expect(delivered.slice(2)).toEqual([
      [3, 'c', 3],
      [4, 'd', 4],
    ]);
  });

  it('do not accumulate while the event loop is blocked', () => {
    const { log, delivered } = opened();
    for (let nth = 0; nth < 100; nth += 1) void log.later(warning(String(nth)));
    expect(delivered.length).toBeGreaterThan(90);
  });

  it('are delivered one at a time when the port has room, and the run waits for them', async () => {
    const order: string[] = [];
    const { log } = opened(async (message) => {
      order.push(`in ${message}`);
      await turns(1);
      order.push(`out ${message}`);
    });
    void log.later(warning('a'));
    await turns(2);
    void log.later(warning('b'));
    await log.emit(warning('c'));
    expect(order).toEqual(['in a', 'out a', 'in b', 'out b', 'in c', 'out c']);
  });

  it.each([
    [
      'at once',
      (): void => {
        throw new Error('full');
      },
      'EventsRefused',
    ],
    ['asynchronously', () => Promise.reject(new Error('full')), 'EventsRefused'],
    [
      'because the size limit is exceeded',
      (): void => {
        throw new EngineError('RUN_TOO_LARGE', 'too large');
      },
      'EngineError',
    ],
  ] as const)(
    'report a rejected event with the next call, %s, and deliver nothing after it',
    async (_, emit, name) => {
      const { log, delivered } = opened(emit);
      void log.later(warning('a'));
      await turns(3);
      await expect((async () => log.later(warning('b')))()).rejects.toMatchObject({ name });
      await turns(3);
      await log.settle();
      expect(delivered.map(([, message]) => message)).toEqual(['a']);
    },
  );

  it('are not accepted after the last event, so no work goes unreported', () => {
    const { log } = opened(() => undefined, 1);
    void log.later(warning('a'));
    expect(() => log.later(warning('b'))).toThrow(
      expect.objectContaining({ code: 'RUN_TOO_MANY_EVENTS' }),
    );
  });

  it('mask secrets that earlier events revealed', async () => {
    const loop = workflow(
      loopStep('0', 'SplitString("plain,geheim-99", ",")', 'i'),
      httpStep('0_0', 'http://remote/'),
    );
    const result = await runWith(
      loop,
      { http: answering(() => ({ token: 'geheim-99' })) },
      { recordSegments: true },
    );
    expect(ofKind(result, 'LoopIteration').map(({ value }) => value)).toEqual(['plain', '***']);
  });
});
