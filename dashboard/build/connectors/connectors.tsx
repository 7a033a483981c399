import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import { ConnectorsDocument, DeleteConnectorsDocument } from '../../generated/operations';
import type { ConnectorFilter, ConnectorsQuery } from '../../generated/operations';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteSelected } from '../../parts/delete-records';
import { throwUserErrors } from '../../parts/form';
import { Icon } from '../../parts/icon';
import {
  currentSearch,
  FilterBar,
  ListPage,
  ListSearch,
  RemovableFilter,
} from '../../parts/list-page';
import { pageVariables } from '../../parts/pager';
import { addressOfPicture } from '../../parts/picture-form';
import { EmptyState } from '../../parts/states';
import { href, route } from '../../router';
import { LastCheck } from './last-check';

type Connector = ConnectorsQuery['connectors']['nodes'][number];

const NOUNS = ['connector', 'connectors'] as const;

const COLUMNS: readonly Column<Connector>[] = [
  {
    title: 'Connector',
    cellClass: 'cell-main',
    cell: ({ databaseId, title, description, icon, invokerName }) => (
      <>
        {icon === null ? null : <img class="icon-picture" src={addressOfPicture(icon)} alt="" />}
        <a class="row-link" href={href(`connectors/${databaseId}`)}>
          <bdi>{title}</bdi>
        </a>
        <span class="line quiet clamped">
          <bdi>{description}</bdi>
        </span>
        <span class="only-narrow quiet">
          <bdi>{invokerName}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Invoker',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: ({ invokerName }) => <bdi>{invokerName}</bdi>,
  },
  { title: 'Last test', cell: ({ lastCheck }) => <LastCheck check={lastCheck} /> },
];

/** A link to the form of a new connector. */
export function NewConnectorLink({ invoker = null }: { invoker?: string | null }) {
  if (!hasPermission.value('CONNECTOR:CREATE') || !hasPermission.value('INVOKER:READ')) return null;
  return (
    <a class="button" href={href('connectors/new', { invoker })}>
      <Icon name="plus" size={14} />
      New connector
    </a>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon="empty" title="No connectors">
        No results match the filters.
      </EmptyState>
    );
  return (
    <EmptyState icon="empty" title="No connectors" action={<NewConnectorLink />}>
      A connector holds the address and the credentials of a system. Create one for each system that
      your workflows call.
    </EmptyState>
  );
}

/** All connectors. */
export function Connectors() {
  const search = currentSearch();
  const invoker = route.value.query.get('invoker');
  const filter: ConnectorFilter = {
    ...(search === '' ? {} : { title: { contains: search } }),
    ...(invoker === null ? {} : { invokerName: { eq: invoker } }),
  };
  const connectors = useQuery(ConnectorsDocument, { filter, ...pageVariables() });
  const remove = async (items: readonly Connector[], force: boolean): Promise<void> => {
    const ids = items.map(({ databaseId }) => String(databaseId));
    const { connectorsDelete } = await request(DeleteConnectorsDocument, { ids, force });
    throwUserErrors(connectorsDelete.userErrors);
    connectors.reload();
  };
  return (
    <ListPage
      title="Connectors"
      actions={<NewConnectorLink invoker={invoker} />}
      filters={
        <FilterBar label="Filter connectors">
          <ListSearch label="Title" />
          {invoker === null ? null : (
            <RemovableFilter name="invoker" label={`Invoker ${invoker}: show all invokers`}>
              Invoker <bdi>{invoker}</bdi>
            </RemovableFilter>
          )}
        </FilterBar>
      }
      query={connectors}
      name="connectors"
      connection={(data) => data.connectors}
      nouns={NOUNS}
      empty={<Empty isFiltered={search !== '' || invoker !== null} />}
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Connectors"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          selection={
            hasPermission.value('CONNECTOR:DELETE')
              ? {
                  name: ({ title }) => `connector ${title}`,
                  actions: (selected) => (
                    <DeleteSelected
                      count={selected.length}
                      nouns={NOUNS}
                      forceText="Delete them even if workflows use them. Their steps then have no connector."
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
