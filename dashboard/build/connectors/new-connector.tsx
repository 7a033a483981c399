import { useQuery } from '../../api/hooks';
import { InvokersDocument, NewConnectorInvokerDocument } from '../../generated/operations';
import type { InvokersQuery } from '../../generated/operations';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { currentSearch, FilterBar, ListPage, ListSearch } from '../../parts/list-page';
import { notify } from '../../parts/notices';
import { Card, Heading, RecordPage } from '../../parts/page';
import { pageVariables } from '../../parts/pager';
import { EmptyState } from '../../parts/states';
import { href, navigate, route } from '../../router';
import { ConnectorForm } from './connector-form';

type Invoker = InvokersQuery['invokers']['nodes'][number];

const COLUMNS: readonly Column<Invoker>[] = [
  {
    title: 'System',
    cellClass: 'cell-main',
    cell: ({ name, description }) => (
      <>
        <a class="row-link" href={href('connectors/new', { invoker: name })}>
          <bdi>{name}</bdi>
        </a>
        <span class="line quiet clamped">
          <bdi>{description}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Operations',
    headerClass: 'number',
    cellClass: 'number num',
    cell: ({ operationCount }) => operationCount,
  },
];

/** The systems that a connector can be created for. */
function SystemList() {
  const search = currentSearch();
  const filter = search === '' ? {} : { name: { contains: search } };
  const invokers = useQuery(InvokersDocument, { filter, ...pageVariables() });
  return (
    <ListPage
      title="New connector"
      label="Systems"
      filters={
        <>
          <p class="lead">
            Which system does it connect to? Your system is not listed:{' '}
            <a href={href('invokers')}>import an invoker</a>, or use REST for any JSON API.
          </p>
          <FilterBar label="Filter systems">
            <ListSearch label="Name" />
          </FilterBar>
        </>
      }
      query={invokers}
      name="invokers"
      connection={(data) => data.invokers}
      nouns={['system', 'systems']}
      empty={
        <EmptyState icon="empty" title="No systems">
          No results match the search.
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable label="Systems" columns={COLUMNS} items={items} keyOf={({ name }) => name} />
      )}
    </ListPage>
  );
}

function CreateConnector({ name }: { name: string }) {
  const query = useQuery(NewConnectorInvokerDocument, { name });
  const onSaved = (id: number): void => {
    notify('The connector was created.');
    navigate(href(`connectors/${id}`));
  };
  return (
    <RecordPage
      title="New connector"
      name="invoker"
      query={query}
      recordOf={({ invoker }) => invoker}
      notFoundText="It may have been deleted."
    >
      {(invoker) => (
        <>
          <Heading title="New connector">
            <span class="tag">
              <bdi>{invoker.name}</bdi>
            </span>
            <a href={href('connectors/new')}>Another system</a>
          </Heading>
          <div class="account-cards">
            <Card title="Connector">
              <ConnectorForm invoker={invoker} connector={null} onSaved={onSaved} />
            </Card>
          </div>
        </>
      )}
    </RecordPage>
  );
}

/** Creates a connector: the system first, then its values. */
export function NewConnector() {
  const invoker = route.value.query.get('invoker');
  return invoker === null ? <SystemList /> : <CreateConnector key={invoker} name={invoker} />;
}
