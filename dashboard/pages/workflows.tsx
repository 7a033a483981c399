import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import {
  WatchLastRunsDocument,
  WatchWorkflowsDocument,
  WorkflowsDocument,
} from '../generated/operations';
import type { WorkflowFilter, WorkflowsQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { SegmentedControl } from '../parts/fields';
import {
  currentSearch,
  FilterBar,
  LIST_RELOAD_INTERVAL_MS,
  ListPage,
  ListSearch,
  setFilters,
} from '../parts/list-page';
import { pageVariables } from '../parts/pager';
import { LastRun } from '../parts/runs/run-table';
import { EmptyState } from '../parts/states';
import { Time } from '../parts/runs/times';
import { href, route } from '../router';

type Workflow = WorkflowsQuery['workflows']['nodes'][number];

const ORDERS = [
  { value: '', text: 'Title' },
  { value: 'changed', text: 'Last changed' },
];

const COLUMNS: readonly Column<Workflow>[] = [
  {
    title: 'Workflow',
    cellClass: 'cell-main',
    cell: ({ databaseId, title, description }) => (
      <>
        <a class="row-link" href={href(`workflows/${databaseId}`)}>
          <bdi>{title}</bdi>
        </a>{' '}
        <span class="quiet num">#{databaseId}</span>
        {description ? (
          <span class="line quiet clamped">
            <bdi>{description}</bdi>
          </span>
        ) : null}
      </>
    ),
  },
  {
    title: 'Changed',
    isWideOnly: true,
    cell: ({ updatedAt, updatedBy }) => (
      <>
        <Time at={updatedAt} />
        <span class="line quiet">
          <bdi>{updatedBy.email}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Last run',
    cellClass: 'nowrap',
    cell: ({ lastRun, title }) => <LastRun run={lastRun} title={title} />,
  },
];

function useWorkflows(filter: WorkflowFilter, isByChange: boolean) {
  const workflows = useQuery(WorkflowsDocument, {
    filter,
    orderBy: isByChange
      ? { field: 'UPDATED_AT', direction: 'DESC' }
      : { field: 'TITLE', direction: 'ASC' },
    ...pageVariables(),
  });
  const reload = useThrottle(workflows.reload, LIST_RELOAD_INTERVAL_MS);
  useSubscription(WatchWorkflowsDocument, { filter }, { onData: reload, onForbidden: reload });
  useSubscription(WatchLastRunsDocument, {}, { onData: reload });
  return workflows;
}

function WorkflowFilters({ isByChange }: { isByChange: boolean }) {
  return (
    <FilterBar label="Filter workflows">
      <ListSearch label="Title" />
      <SegmentedControl
        label="Order"
        value={isByChange ? 'changed' : ''}
        options={ORDERS}
        onChange={(value) => setFilters({ order: value })}
      />
    </FilterBar>
  );
}

export function Workflows() {
  const { query } = route.value;
  const search = currentSearch();
  const isByChange = query.get('order') === 'changed';
  const workflows = useWorkflows(search === '' ? {} : { title: { contains: search } }, isByChange);
  return (
    <ListPage
      title="Workflows"
      filters={<WorkflowFilters isByChange={isByChange} />}
      query={workflows}
      name="workflows"
      connection={(data) => data.workflows}
      nouns={['workflow', 'workflows']}
      empty={
        <EmptyState icon="empty" title="No workflows">
          {search === '' ? 'Nothing has been created yet.' : 'No results match the filters.'}
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Workflows"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
        />
      )}
    </ListPage>
  );
}
