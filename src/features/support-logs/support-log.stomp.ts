import type { Services } from '../../platform/context';
import type { Destination } from '../../platform/stomp/destination';
import { supportLogPolicy } from './support-log.policy';

/** Changes combined in one message, which does not list them. */
const AT_ONCE = 100;

/** Notifies the frontend that the list of support files has changed. */
export function supportLogDestinations({
  supportLogs,
}: Pick<Services, 'supportLogs'>): Destination[] {
  return [
    {
      path: '/execution/support-file',
      needs: supportLogPolicy.read,
      async *messages({ signal }) {
        for await (const { changed, removedIds } of supportLogs.changes({}, AT_ONCE, signal)) {
          if (changed.length + removedIds.length > 0) yield { event: 'LIST_CHANGED' };
        }
      },
    },
  ];
}
