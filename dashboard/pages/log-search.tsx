import { useMemo, useState } from 'preact/hooks';
import { useQuery } from '../api/hooks';
import { LogElementState, LogElementType, LogSearchDocument } from '../generated/operations';
import type { LogSearchQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { MAX_SEARCH_LENGTH, Select } from '../parts/fields';
import { formatDuration } from '../parts/format';
import { Icon } from '../parts/icon';
import { currentSearch, FilterBar, ListPage, ListSearch, setFilters } from '../parts/list-page';
import { ErrorText } from '../parts/page';
import { PAGE_SIZE } from '../parts/pager';
import { RunStateLabel } from '../parts/runs/run-state';
import { Time } from '../parts/runs/times';
import { EmptyState } from '../parts/states';
import { href, navigate, route } from '../router';
import { stepNumber } from '../run/step-tree';
import { parseId, periodOf, PERIOD_OPTIONS, periodStart } from './run-filters';
import { WorkflowSearch } from './workflow-search';

type Hit = LogSearchQuery['logSearch']['nodes'][number];

const STATE_OPTIONS = [
  { value: '', text: 'Any' },
  { value: LogElementState.Fail, text: 'Failed' },
  { value: LogElementState.Complete, text: 'Succeeded' },
  { value: LogElementState.Pending, text: 'Running' },
];
const TYPE_OPTIONS = [
  { value: '', text: 'Any' },
  { value: LogElementType.Operation, text: 'Requests' },
  { value: LogElementType.If, text: 'Conditions' },
  { value: LogElementType.Loop, text: 'Loops' },
];

/** The value of a filter in the URL if it is an option. */
const optionOf = (name: string, options: readonly { readonly value: string }[]): string =>
  options.find(({ value }) => value === route.value.query.get(name))?.value ?? '';

/** Opens the search in the logs of all runs. */
export function LogSearchForm() {
  const [text, setText] = useState('');
  return (
    <form
      class="log-search"
      role="search"
      aria-label="Search in logs"
      onSubmit={(event) => {
        event.preventDefault();
        navigate(href('runs/search', { find: text.trim() }));
      }}
    >
      <input
        type="search"
        aria-label="Search in the logs of all runs"
        placeholder="Search in logs"
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" class="button" aria-label="Search in logs">
        <Icon name="search" size={14} />
      </button>
    </form>
  );
}

const titleOf = ({ type, label, name, iterator, expression }: Hit): string => {
  if (type === LogElementType.Loop) return `For each ${iterator ?? ''}`;
  if (type === LogElementType.If) return `If ${expression ?? ''}`;
  return label ?? name ?? 'Call';
};

const COLUMNS: readonly Column<Hit>[] = [
  {
    title: 'Step',
    cellClass: 'cell-main',
    cell: (hit) => (
      <>
        <a
          href={href(`runs/${hit.run.databaseId}`, {
            step: hit.index,
            at: hit.loopIndex.join('.'),
          })}
        >
          <bdi>
            {hit.index === null ? '' : `${stepNumber(hit.index)} `}
            {titleOf(hit)}
          </bdi>
        </a>
        {hit.loopIndex.length === 0 ? null : (
          <span class="quiet num">
            {' '}
            iteration {hit.loopIndex.map((iteration) => iteration + 1).join(' / ')}
          </span>
        )}
        {hit.error === null ? null : (
          <span class="line bad">
            <ErrorText error={hit.error} />
          </span>
        )}
      </>
    ),
  },
  {
    title: 'Answer',
    isWideOnly: true,
    cellClass: 'num',
    cell: ({ statusCode, durationMs }) =>
      [statusCode, durationMs === null ? null : formatDuration(durationMs)]
        .filter((part) => part !== null)
        .join(', ') || '–',
  },
  {
    title: 'Run',
    cell: ({ run }) => (
      <>
        <bdi>{run.workflowTitle}</bdi> <span class="quiet num">#{run.databaseId}</span>{' '}
        {run.test ? <span class="tag">test</span> : null} <RunStateLabel state={run.state} />
      </>
    ),
  },
  {
    title: 'Time',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ startedAt }) => (startedAt === null ? null : <Time at={startedAt} />),
  },
];

/** Searches the logs of all runs for a text, such as the id of an order. */
export function LogSearch() {
  const { query } = route.value;
  const [text, workflow] = [currentSearch(), parseId(query.get('workflow'))];
  const [state, type] = [optionOf('state', STATE_OPTIONS), optionOf('type', TYPE_OPTIONS)];
  const period = periodOf(query.get('since'));
  // The period is fixed while paging.
  const from = useMemo(() => periodStart(period, Date.now()), [period]);
  const hits = useQuery(LogSearchDocument, {
    search: {
      ...(text === '' ? {} : { text }),
      ...(workflow === null ? {} : { workflowId: workflow }),
      ...(state === '' ? {} : { states: [state as LogElementState] }),
      ...(type === '' ? {} : { types: [type as LogElementType] }),
      ...(from === null ? {} : { from }),
    },
    first: PAGE_SIZE,
    after: query.get('after'),
  });
  return (
    <ListPage
      title="Search in logs"
      actions={
        <a class="button" href={href('runs')}>
          All runs
        </a>
      }
      filters={
        <FilterBar label="Search in logs">
          <ListSearch label="Text" />
          <WorkflowSearch
            workflow={workflow}
            onSelect={(selected) => setFilters({ workflow: selected })}
          />
          <Select
            label="State"
            value={state}
            options={STATE_OPTIONS}
            onChange={(value) => setFilters({ state: value })}
          />
          <Select
            label="Kind"
            value={type}
            options={TYPE_OPTIONS}
            onChange={(value) => setFilters({ type: value })}
          />
          <Select
            label="Started"
            value={period ?? ''}
            options={PERIOD_OPTIONS}
            onChange={(value) => setFilters({ since: value })}
          />
        </FilterBar>
      }
      query={hits}
      name="logs"
      connection={({ logSearch: { nodes, pageInfo } }) => ({
        nodes,
        // The search goes only to older runs.
        pageInfo: { ...pageInfo, hasPreviousPage: false },
        totalCount: null,
      })}
      nouns={['step', 'steps']}
      empty={
        <EmptyState icon="search" title="No matches">
          Only runs with logging and tests have a log, and only the newest ones of each workflow are
          kept. Bodies are searched as they are stored: secrets are masked, long texts are cut.
        </EmptyState>
      }
    >
      {(items) => (
        <DataTable
          label="Matches"
          columns={COLUMNS}
          items={items}
          keyOf={({ elementId }) => elementId}
        />
      )}
    </ListPage>
  );
}
