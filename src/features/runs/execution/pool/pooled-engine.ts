import { outcomeOfDeath } from './child-death';
import { EngineChild } from './engine-child';
import type { ChildOptions } from './engine-child';
import type { RunEngine, RunOutcome } from '../run-engine';

export interface PoolOptions extends ChildOptions {
  /** Children at once, and so runs. */
  readonly most: number;
  /** Children that wait for runs, however long none comes. */
  readonly warm: number;
  /** How long a child waits for a run before it goes if it is beyond them, or makes room for a new one if runs have left it large. */
  readonly idleMs: number;
}

/** Elsewhere no process can be asked how much of a processor it wants. */
const MEASURED = process.platform === 'linux';
/** Many starts at once would hold up the service, and slow each other down. */
const STARTING_AT_ONCE = 2;

interface Waiting {
  readonly take: (child: EngineChild) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Executes each run in a process of its own, so that a run which takes all memory, or never comes back, ends alone. A child serves one run
 * at a time, the next one after a clean end, and is killed after any other. Children are started ahead of need, a few at a time.
 */
export function createPooledEngine({ most, warm, idleMs, ...options }: PoolOptions): RunEngine {
  const children = new Set<EngineChild>();
  /** The one that was used last, and is warmest, at the end. */
  const idle: EngineChild[] = [];
  const waiting: Waiting[] = [];
  const retirements = new Map<EngineChild, NodeJS.Timeout>();
  let starting = 0;
  let isClosed = false;

  function grow(): void {
    const needed = (): boolean => waiting.length > starting || idle.length + starting < waiting.length + warm;
    while (!isClosed && needed() && starting < STARTING_AT_ONCE && children.size < most) start();
  }

  function start(): void {
    starting += 1;
    begun().then((child) => {
      starting -= 1;
      offer(child);
      grow();
    }, (error: unknown) => {
      starting -= 1;
      // Nothing is started again without need: what fails now would fail again at once.
      waiting.shift()?.fail(error);
      if (waiting.length > 0) grow();
    });
  }

  /** A child that can execute a run. Rejects when none can be started, whether the system says so at once or the child never gets ready. */
  async function begun(): Promise<EngineChild> {
    const child = new EngineChild(options);
    children.add(child);
    void child.gone.then(() => forget(child));
    await child.ready;
    return child;
  }

  function offer(child: EngineChild): void {
    if (!child.isUsable || isClosed) return child.kill();
    const next = waiting.shift();
    if (next) return next.take(child);
    idle.push(child);
    retirements.set(child, setTimeout(() => retire(child), idleMs).unref());
  }

  function retire(child: EngineChild): void {
    if (idle.length <= warm && child.isLight) return;
    child.kill();
    void child.gone.then(grow);
  }

  function leaveIdle(child: EngineChild): void {
    clearTimeout(retirements.get(child));
    retirements.delete(child);
    const place = idle.indexOf(child);
    if (place >= 0) idle.splice(place, 1);
  }

  function forget(child: EngineChild): void {
    children.delete(child);
    leaveIdle(child);
    if (waiting.length > 0) grow();
  }

  /** @throws the reason of the signal; Error no child can be started */
  function take(signal: AbortSignal): Promise<EngineChild> {
    const child = idle.findLast(({ isUsable }) => isUsable);
    if (child !== undefined) {
      leaveIdle(child);
      grow();
      return Promise.resolve(child);
    }
    return new Promise((resolve, reject) => {
      const entry: Waiting = { take: settled(resolve), fail: settled(reject) };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(entry), 1);
        reject(signal.reason as Error);
      };
      function settled<T>(settle: (value: T) => void) {
        return (value: T): void => {
          signal.removeEventListener('abort', leave);
          settle(value);
        };
      }
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(entry);
      grow();
    });
  }

  return {
    async execute(task, supervision): Promise<RunOutcome> {
      const { signal } = supervision;
      if (signal.aborted) return outcomeOfDeath({ code: 'CANCELLED' }, 0);
      let child: EngineChild;
      try {
        child = await take(signal);
      } catch (error) {
        if (signal.aborted) return outcomeOfDeath({ code: 'CANCELLED' }, 0);
        return outcomeOfDeath(isClosed ? { code: 'RUN_INTERRUPTED' } : { code: 'RUN_FAULT', cause: error }, 0);
      }
      const outcome = await child.execute(task, supervision);
      // The one that takes the place of a child that may not be used again is warm when the next run comes.
      if (!child.isUsable) void child.gone.then(grow);
      offer(child);
      return outcome;
    },

    demands() {
      return MEASURED ? [...children].map((child) => child.demand).filter((demand) => demand !== null) : null;
    },

    warm: grow,

    async close() {
      isClosed = true;
      for (const { fail } of waiting.splice(0)) fail(new Error('The service is stopping.'));
      await Promise.all([...children].map((child) => child.stop()));
    },
  };
}
