import type { EventBus } from '../events/bus';
import { EventQueue } from '../graphql/subscriptions';
import { jobTopic, UNFINISHED } from './job-topic';
import type { JobRecord } from './job.model';

/** Interval at which the store is read in case the bus lost an event, ms. */
const LOOK_AGAIN_MS = 15_000;

/**
 * Yields a job now and after each change, until it has ended or was deleted. A slow reader gets
 * only the latest state.
 */
export async function* followJob(
  bus: EventBus,
  id: number,
  read: () => Promise<JobRecord | null>,
  signal: AbortSignal,
): AsyncGenerator<JobRecord, void, undefined> {
  const changes = new EventQueue<object>({ signal, whenFull: 'coalesce' });
  changes.onEnd(bus.subscribe<object>(jobTopic(id), (change) => changes.push(change)));
  const lookingAgain = setInterval(() => changes.push({}), LOOK_AGAIN_MS).unref();
  changes.onEnd(() => clearInterval(lookingAgain));
  try {
    for (let last = ''; ;) {
      const job = await read();
      if (!job || signal.aborted) return;
      const now = JSON.stringify([job.state, job.percent, job.message]);
      if (now !== last) yield job;
      last = now;
      if (!UNFINISHED.includes(job.state) || (await changes.next()).done === true) return;
    }
  } finally {
    changes.end();
  }
}
