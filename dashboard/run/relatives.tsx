import { useFollowed } from '../api/hooks';
import { WatchRelativesDocument } from '../generated/operations';
import type { RunTrigger } from '../generated/operations';

const OF_OTHER_RUNS: RunTrigger[] = ['RETRY', 'ERROR'];

/** Renders nothing. Follows the retries and the error run of an ended run. */
export function Relatives({
  run: { databaseId, queuedAt },
  changed,
}: {
  run: { readonly databaseId: number; readonly queuedAt: string };
  changed: () => void;
}) {
  useFollowed(
    WatchRelativesDocument,
    { filter: { trigger: { in: OF_OTHER_RUNS }, queuedAt: { gte: queuedAt } } },
    {
      next({ runsChanged: { changed: runs, removedIds } }) {
        const isListening = runs.length === 0 && removedIds.length === 0;
        if (
          isListening ||
          runs.some(
            ({ retryOf, errorOf }) =>
              retryOf?.databaseId === databaseId || errorOf?.databaseId === databaseId,
          )
        )
          changed();
      },
    },
  );
  return null;
}
