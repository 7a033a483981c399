import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  AggregatorsDocument,
  DeleteAggregatorsDocument,
  UpdateAggregatorDocument,
} from '../../generated/operations';
import type { AggregatorFilter, AggregatorsQuery } from '../../generated/operations';
import { Action, throwUserError } from '../../parts/action';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteSelected } from '../../parts/delete-records';
import { SegmentedControl } from '../../parts/fields';
import { throwUserErrors } from '../../parts/form';
import { Icon } from '../../parts/icon';
import { currentSearch, FilterBar, ListPage, ListSearch, setFilters } from '../../parts/list-page';
import { notify } from '../../parts/notices';
import { Card, Heading } from '../../parts/page';
import { pageVariables } from '../../parts/pager';
import { EmptyState } from '../../parts/states';
import { href, navigate, route } from '../../router';
import { AggregatorForm } from './aggregator-form';

type Aggregator = AggregatorsQuery['aggregators']['nodes'][number];

const NOUNS = ['aggregator', 'aggregators'] as const;

const STATES = [
  { value: '', text: 'Any' },
  { value: 'active', text: 'Active' },
  { value: 'archived', text: 'Archived' },
];

/** Archives an aggregator, or makes it active again. */
export function ArchiveAction({
  aggregator: { databaseId, name, active, version },
  isQuiet = false,
  onChange,
}: {
  aggregator: Pick<Aggregator, 'databaseId' | 'name' | 'active' | 'version'>;
  isQuiet?: boolean;
  onChange: () => void;
}) {
  const text = active ? 'Archive' : 'Activate';
  return (
    <Action
      icon={active ? 'down' : 'check'}
      text={text}
      label={`${text} ${name}`}
      isQuiet={isQuiet}
      run={async () => {
        const { aggregatorUpdate } = await request(UpdateAggregatorDocument, {
          input: { id: String(databaseId), expectedVersion: version, active: !active },
        });
        throwUserError(aggregatorUpdate.userErrors);
        onChange();
      }}
    />
  );
}

const columnsOf = (reload: () => void): readonly Column<Aggregator>[] => [
  {
    title: 'Aggregator',
    cellClass: 'cell-main',
    cell: ({ databaseId, name, active, arguments: variables }) => (
      <>
        <a class="row-link" href={href(`aggregators/${databaseId}`)}>
          <bdi>{name}</bdi>
        </a>
        {active ? null : <span class="tag">Archived</span>}
        <span class="line quiet">{variables.map((variable) => variable.name).join(', ')}</span>
      </>
    ),
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: (aggregator) =>
      hasPermission.value('CONNECTION:UPDATE') ? (
        <ArchiveAction aggregator={aggregator} isQuiet onChange={reload} />
      ) : null,
  },
];

/** All aggregators. */
export function Aggregators() {
  const search = currentSearch();
  const state = route.value.query.get('state') ?? '';
  const filter: AggregatorFilter = {
    ...(search === '' ? {} : { name: { contains: search } }),
    ...(state === 'active' || state === 'archived' ? { active: { eq: state === 'active' } } : {}),
  };
  const aggregators = useQuery(AggregatorsDocument, { filter, ...pageVariables() });
  const remove = async (items: readonly Aggregator[], force: boolean): Promise<void> => {
    const ids = items.map(({ databaseId }) => String(databaseId));
    const { aggregatorsDelete } = await request(DeleteAggregatorsDocument, { ids, force });
    throwUserErrors(aggregatorsDelete.userErrors);
    aggregators.reload();
  };
  const create = hasPermission.value('CONNECTION:CREATE') ? (
    <a class="button" href={href('aggregators/new')}>
      <Icon name="plus" size={14} />
      New aggregator
    </a>
  ) : null;
  return (
    <ListPage
      title="Aggregators"
      actions={create}
      filters={
        <>
          <p class="lead">
            An aggregator is a script that computes values from the requests and responses of a step
            at the end of a run.
          </p>
          <FilterBar label="Filter aggregators">
            <ListSearch label="Name" />
            <SegmentedControl
              label="State"
              value={state}
              options={STATES}
              onChange={(value) => setFilters({ state: value })}
            />
          </FilterBar>
        </>
      }
      query={aggregators}
      name="aggregators"
      connection={(data) => data.aggregators}
      nouns={NOUNS}
      empty={
        <EmptyState icon="empty" title="No aggregators" action={search === '' ? create : null}>
          {search === '' && state === ''
            ? 'Create one to show values of a run in its messages.'
            : 'No results match the filters.'}
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Aggregators"
          columns={columnsOf(aggregators.reload)}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          selection={
            hasPermission.value('CONNECTION:DELETE')
              ? {
                  name: ({ name }) => `aggregator ${name}`,
                  actions: (selected) => (
                    <DeleteSelected
                      count={selected.length}
                      nouns={NOUNS}
                      forceText="Delete them even if workflows use them. Their runs then store none of the values."
                      remove={(force) => remove(selected, force)}
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

/** The form of a new aggregator. */
export function NewAggregator() {
  return (
    <>
      <Heading title="New aggregator" />
      <div class="account-cards">
        <Card title="Aggregator">
          <AggregatorForm
            aggregator={null}
            onSaved={(id) => {
              notify('The aggregator was created.');
              navigate(href(`aggregators/${id}`));
            }}
          />
        </Card>
      </div>
    </>
  );
}
