import { useEffect } from 'preact/hooks';
import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import type { QueryResult } from '../api/hooks';
import {
  SchedulesDocument,
  WatchScheduledRunsDocument,
  WatchSchedulesDocument,
} from '../generated/operations';
import type { ScheduleFilter, ScheduleRowFragment, SchedulesQuery } from '../generated/operations';
import { hasPermission } from '../current-user';
import { SegmentedControl, Select } from '../parts/fields';
import { Icon } from '../parts/icon';
import {
  currentSearch,
  FilterBar,
  LIST_RELOAD_INTERVAL_MS,
  ListPage,
  ListSearch,
  setFilters,
} from '../parts/list-page';
import { pageVariables } from '../parts/pager';
import { EmptyState } from '../parts/states';
import { now } from '../parts/runs/times';
import { href, route } from '../router';
import { ScheduleTable } from './schedule-table';

/**
 * Reload interval while the next fire time is in the past, ms: the clock of the service may be
 * behind.
 */
const OVERDUE_RELOAD_INTERVAL_MS = 10_000;

const ORDERS = [
  { value: '', text: 'Title' },
  { value: 'next', text: 'Next run' },
];
const STATUSES = [
  { value: '', text: 'Any' },
  { value: 'on', text: 'On' },
  { value: 'off', text: 'Off' },
];

interface ScheduleSelection {
  readonly search: string;
  readonly status: string | null;
  readonly isByNextRun: boolean;
}

/** Reloads when the next fire time of a listed schedule has passed. */
function useReloadWhenDue(schedules: readonly ScheduleRowFragment[], reload: () => void): void {
  const nearest = schedules
    .map(({ enabled, nextFireTimes: [next] }) =>
      enabled && next !== undefined ? new Date(next).getTime() : Infinity,
    )
    .reduce((one, other) => Math.min(one, other), Infinity);
  const isOverdue = nearest < now.value;
  const attempt = Math.floor(now.value / OVERDUE_RELOAD_INTERVAL_MS);
  useEffect(() => {
    if (isOverdue) reload();
  }, [isOverdue, nearest, attempt]);
}

function useSchedules({
  search,
  status,
  isByNextRun,
}: ScheduleSelection): QueryResult<SchedulesQuery> {
  const watched: ScheduleFilter = {
    ...(search === '' ? {} : { title: { contains: search } }),
    ...(status === 'on' || status === 'off' ? { enabled: { eq: status === 'on' } } : {}),
  };
  const schedules = useQuery(SchedulesDocument, {
    // Schedules without a next time would sort first.
    filter: isByNextRun ? { ...watched, nextFire: { isNull: false } } : watched,
    orderBy: { field: isByNextRun ? 'NEXT_FIRE' : 'TITLE', direction: 'ASC' },
    ...pageVariables(),
  });
  const reload = useThrottle(schedules.reload, LIST_RELOAD_INTERVAL_MS);
  useSubscription(
    WatchSchedulesDocument,
    { filter: watched },
    { onData: reload, onForbidden: reload },
  );
  useSubscription(WatchScheduledRunsDocument, {}, { onData: reload });
  useReloadWhenDue(schedules.data?.schedules.nodes ?? [], reload);
  return schedules;
}

const withSchedule = (
  { schedules }: SchedulesQuery,
  changed: ScheduleRowFragment,
): SchedulesQuery => ({
  schedules: {
    ...schedules,
    nodes: schedules.nodes.map((schedule) =>
      schedule.databaseId === changed.databaseId ? changed : schedule,
    ),
  },
});

function ScheduleFilters({ status, isByNextRun }: ScheduleSelection) {
  return (
    <FilterBar label="Filter schedules">
      <ListSearch label="Title" />
      <Select
        label="Status"
        value={status ?? ''}
        options={STATUSES}
        onChange={(value) => setFilters({ enabled: value })}
      />
      <SegmentedControl
        label="Order"
        value={isByNextRun ? 'next' : ''}
        options={ORDERS}
        onChange={(value) => setFilters({ order: value })}
      />
      {isByNextRun ? <span class="check quiet">Only schedules with a next run</span> : null}
    </FilterBar>
  );
}

function NewScheduleLink() {
  if (!hasPermission.value('SCHEDULE:CREATE')) return null;
  return (
    <a class="button" href={href('schedules/new')}>
      <Icon name="plus" size={14} />
      <span>New schedule</span>
    </a>
  );
}

function NoSchedules({ search, status, isByNextRun }: ScheduleSelection) {
  const isUnfiltered = search === '' && status === null;
  return (
    <EmptyState
      icon="clock"
      title="No schedules"
      action={isUnfiltered && !isByNextRun ? <NewScheduleLink /> : null}
    >
      {isByNextRun
        ? 'No schedule is due.'
        : isUnfiltered
          ? 'A schedule runs a workflow at fixed times, or when its webhook is called.'
          : 'No results match the filters.'}
    </EmptyState>
  );
}

export function Schedules() {
  const { query } = route.value;
  const selection: ScheduleSelection = {
    search: currentSearch(),
    status: query.get('enabled'),
    isByNextRun: query.get('order') === 'next',
  };
  const schedules = useSchedules(selection);
  return (
    <ListPage
      title="Schedules"
      actions={<NewScheduleLink />}
      filters={<ScheduleFilters {...selection} />}
      query={schedules}
      name="schedules"
      connection={(data) => data.schedules}
      nouns={['schedule', 'schedules']}
      empty={<NoSchedules {...selection} />}
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <ScheduleTable
          schedules={items}
          hasSelection
          onChange={(changed) => schedules.update((data) => withSchedule(data, changed))}
          onFailure={schedules.reload}
        />
      )}
    </ListPage>
  );
}
