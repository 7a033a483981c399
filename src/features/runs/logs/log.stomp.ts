import type { Services } from '../../../platform/context';
import type { Presenters } from '../../../platform/http/presenters';
import type { Destination } from '../../../platform/stomp/destination';
import type { WatchedRunEvent } from '../run-reading';
import { runPolicy } from '../run.policy';
import { LogLines } from './log-lines';
import type { ElementDetails } from './log-reading';

/** Live logs of tests, at the channels that their users chose. */
export function logDestinations({ runs }: Services, { logs }: Presenters): Destination[] {
  return [
    {
      path: '/execution/logs/{channelId}',
      needs: runPolicy.read,
      async *messages({ actor, name, signal }) {
        for await (const details of linesOf(runs.channelEvents(actor, name, signal)))
          yield logs.line(details);
      },
    },
  ];
}

/** Log lines of consecutive runs. */
async function* linesOf(
  events: AsyncIterable<WatchedRunEvent>,
): AsyncGenerator<ElementDetails, void, undefined> {
  let of: number | null = null;
  let lines: LogLines | null = null;
  for await (const { run, event } of events) {
    if (lines === null || of !== run._id) lines = new LogLines(run);
    of = run._id;
    yield* lines.after(event);
  }
}
