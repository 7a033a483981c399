import { useMemo } from 'preact/hooks';
import type { QueryResult } from '../../api/hooks';
import type { RunsQuery } from '../../generated/operations';
import { href } from '../../router';
import { Card } from '../page';
import { EmptyState, QueryContent } from '../states';
import { RunTable } from './run-table';
import { useLiveRuns } from './use-live-runs';

/** What the runs belong to. */
type Owner = 'workflow' | 'schedule';

const MAX_RUNS = 8;

export const useLastRuns = (owner: Owner, id: string): QueryResult<RunsQuery> =>
  useLiveRuns(
    useMemo(
      () => ({ filter: { [owner]: { eq: id } }, includeTest: false, size: MAX_RUNS }),
      [owner, id],
    ),
  );

/** The last runs of a workflow or schedule, with a link to all. */
export function LastRuns({
  owner,
  id,
  runs,
}: {
  owner: Owner;
  id: string;
  runs: QueryResult<RunsQuery>;
}) {
  return (
    <Card title="Last runs" aside={<a href={href('runs', { [owner]: id })}>All</a>}>
      <QueryContent
        query={runs}
        name="runs"
        rows={3}
        isEmpty={(data) => data.runs.nodes.length === 0}
        empty={<EmptyState icon="empty" title="It has not run yet" />}
      >
        {(data) => <RunTable runs={data.runs.nodes} label="Last runs" />}
      </QueryContent>
    </Card>
  );
}
