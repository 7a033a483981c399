import { useQuery, useSubscription, useThrottle } from '../api/hooks';
import { categoryOptions } from '../build/categories/category-tree';
import { useCategories } from '../build/categories/use-categories';
import { ImportLink } from '../build/import-link';
import { NewWorkflowButton } from '../build/workflows/new-workflow';
import { SelectedWorkflowActions, WorkflowActions } from '../build/workflows/workflow-actions';
import { hasPermission } from '../current-user';
import {
  WatchLastRunsDocument,
  WatchWorkflowsDocument,
  WorkflowsDocument,
} from '../generated/operations';
import type { WorkflowFilter, WorkflowsQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { SegmentedControl, Select } from '../parts/fields';
import type { Option } from '../parts/fields';
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

const columnsOf = (onChange: () => void): readonly Column<Workflow>[] => [
  {
    title: 'Workflow',
    cellClass: 'cell-main',
    cell: ({ databaseId, title, description, category }) => (
      <>
        <a class="row-link" href={href(`workflows/${databaseId}`)}>
          <bdi>{title}</bdi>
        </a>{' '}
        <span class="quiet num">#{databaseId}</span>
        {category ? (
          <span class="tag">
            <bdi>{category.name}</bdi>
          </span>
        ) : null}
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
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: (workflow) => <WorkflowActions workflow={workflow} onChange={onChange} />,
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

const NO_CATEGORY = 'none';

function filterOf(search: string, category: string | null): WorkflowFilter {
  return {
    ...(search === '' ? {} : { title: { contains: search } }),
    ...(category === null
      ? {}
      : { category: category === NO_CATEGORY ? { isNull: true } : { eq: category } }),
  };
}

function WorkflowFilters({
  isByChange,
  category,
  categories,
}: {
  isByChange: boolean;
  category: string | null;
  categories: readonly Option[];
}) {
  return (
    <FilterBar label="Filter workflows">
      <ListSearch label="Title" />
      <Select
        label="Category"
        value={category ?? ''}
        options={[{ value: '', text: 'Any' }, { value: NO_CATEGORY, text: 'None' }, ...categories]}
        onChange={(value) => setFilters({ category: value })}
      />
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
  const [search, category] = [currentSearch(), query.get('category')];
  const isByChange = query.get('order') === 'changed';
  const workflows = useWorkflows(filterOf(search, category), isByChange);
  const categories = categoryOptions(useCategories().data ?? []);
  const canSelect = ['CONNECTION:UPDATE', 'CONNECTION:DELETE'].some(hasPermission.value);
  return (
    <ListPage
      title="Workflows"
      actions={
        hasPermission.value('CONNECTION:CREATE') ? (
          <>
            <NewWorkflowButton />
            <ImportLink permission="CONNECTION:CREATE" />
          </>
        ) : null
      }
      filters={
        <WorkflowFilters isByChange={isByChange} category={category} categories={categories} />
      }
      query={workflows}
      name="workflows"
      connection={(data) => data.workflows}
      nouns={['workflow', 'workflows']}
      empty={
        <EmptyState icon="empty" title="No workflows">
          {search === '' && category === null
            ? 'Nothing has been created yet.'
            : 'No results match the filters.'}
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Workflows"
          columns={columnsOf(workflows.reload)}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          selection={
            canSelect
              ? {
                  name: ({ title }) => `workflow ${title}`,
                  actions: (selected) => (
                    <SelectedWorkflowActions
                      workflows={selected}
                      categories={categories}
                      onChange={workflows.reload}
                    />
                  ),
                }
              : undefined
          }
        />
      )}
    </ListPage>
  );
}
