import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { hasPermission } from '../current-user';
import { ListPage } from '../parts/list-page';
import { isFirstPage, PAGE_SIZE } from '../parts/pager';
import { RetryAll } from '../parts/retry-all';
import { isFailure } from '../parts/runs/run-state';
import { RunTable } from '../parts/runs/run-table';
import { EmptyState } from '../parts/states';
import { now } from '../parts/runs/times';
import { useLiveRuns } from '../parts/runs/use-live-runs';
import { route } from '../router';
import { LogSearchForm } from './log-search';
import { parseRunSelection, RunFilters, toRunFilter } from './run-filters';
import type { RunSelection } from './run-filters';

/** Interval after which a relative period such as the last hour is recalculated, ms. */
const PERIOD_UPDATE_MS = 120_000;
const periodUpdate = computed(() => Math.floor(now.value / PERIOD_UPDATE_MS));

const UNFILTERED = JSON.stringify(parseRunSelection(new URLSearchParams()));

function useSelectedRuns(selection: RunSelection) {
  const { query } = route.value;
  const key = JSON.stringify(selection);
  // The period is fixed while paging; only the first page moves with time.
  const filter = useMemo(
    () => toRunFilter(selection, Date.now()),
    [key, isFirstPage() ? periodUpdate.value : null],
  );
  return useLiveRuns({
    filter,
    includeTest: selection.includeTests,
    size: PAGE_SIZE,
    after: query.get('after'),
    before: query.get('before'),
    topic: key,
  });
}

export function Runs() {
  const selection = parseRunSelection(route.value.query);
  const { states, includeTests } = selection;
  const runs = useSelectedRuns(selection);
  // Retry applies to the shown runs if the filter selects only failures and no tests.
  const canRetry =
    states.length > 0 &&
    states.every(isFailure) &&
    !includeTests &&
    (runs.data?.runs.nodes.length ?? 0) > 0 &&
    hasPermission.value('CONNECTION:UPDATE');
  // Users who may start workflows but not read them see only their own tests.
  const isDenied = !hasPermission.value('CONNECTION:READ') && !includeTests;
  return (
    <ListPage
      title="Runs"
      actions={
        <span class="heading-actions">
          {canRetry ? <RetryAll filter={() => toRunFilter(selection, Date.now())} /> : null}
          <LogSearchForm />
        </span>
      }
      filters={<RunFilters selection={selection} />}
      query={runs}
      name="runs"
      connection={(data) => data.runs}
      nouns={['run', 'runs']}
      isEmpty={({ totalCount }) => totalCount === 0}
      empty={
        <EmptyState icon="empty" title="No runs">
          {JSON.stringify(selection) === UNFILTERED
            ? 'No runs have been started yet.'
            : 'No results match the filters.'}
        </EmptyState>
      }
      deniedName={isDenied ? 'runs other than your own tests' : undefined}
    >
      {(items) => <RunTable runs={items} label="Runs" />}
    </ListPage>
  );
}
