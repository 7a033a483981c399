import { useState } from 'preact/hooks';
import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import { DeleteInvokersDocument, InvokersDocument } from '../../generated/operations';
import type { InvokerOrigin, InvokersQuery } from '../../generated/operations';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteSelected } from '../../parts/delete-records';
import { throwUserErrors } from '../../parts/form';
import { currentSearch, FilterBar, ListPage, ListSearch } from '../../parts/list-page';
import { notify } from '../../parts/notices';
import { pageVariables } from '../../parts/pager';
import { Time } from '../../parts/runs/times';
import { EmptyState } from '../../parts/states';
import { href } from '../../router';
import { ImportInvokers, ImportResult } from './import-invokers';
import type { ImportedInvoker } from './import-invokers';
import { pathOf } from './invoker-path';

type Invoker = InvokersQuery['invokers']['nodes'][number];

const NOUNS = ['invoker', 'invokers'] as const;

export const ORIGINS: Readonly<Record<InvokerOrigin, string>> = {
  SHIPPED: 'Built in',
  FOLDER: 'From the folder',
  IMPORTED: 'Imported',
};

const COLUMNS: readonly Column<Invoker>[] = [
  {
    title: 'Invoker',
    cellClass: 'cell-main',
    cell: ({ name, description }) => (
      <>
        <a class="row-link" href={href(pathOf(name))}>
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
  { title: 'Source', isWideOnly: true, cell: ({ origin }) => ORIGINS[origin] },
  {
    title: 'Changed',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ updatedAt }) => <Time at={updatedAt} />,
  },
];

/** All invokers, with a dialog that imports some. */
export function Invokers() {
  const search = currentSearch();
  const filter = search === '' ? {} : { name: { contains: search } };
  const invokers = useQuery(InvokersDocument, { filter, ...pageVariables() });
  const [imported, setImported] = useState<readonly ImportedInvoker[]>([]);
  const remove = async (items: readonly Invoker[], force: boolean): Promise<void> => {
    const ids = items.map(({ id }) => id);
    const { invokersDelete } = await request(DeleteInvokersDocument, { ids, force });
    throwUserErrors(invokersDelete.userErrors);
    invokers.reload();
  };
  const canImport = ['INVOKER:CREATE', 'INVOKER:UPDATE'].some(hasPermission.value);
  const importDialog = canImport ? (
    <ImportInvokers
      onImported={(list) => {
        setImported(list);
        notify(list.length === 1 ? 'Imported 1 invoker.' : `Imported ${list.length} invokers.`);
        invokers.reload();
      }}
    />
  ) : null;
  return (
    <ListPage
      title="Invokers"
      actions={importDialog}
      filters={
        <>
          <p class="lead">
            An invoker describes a system: which values a connector needs, and which operations
            workflows can call.
          </p>
          <ImportResult imported={imported} />
          <FilterBar label="Filter invokers">
            <ListSearch label="Name" />
          </FilterBar>
        </>
      }
      query={invokers}
      name="invokers"
      connection={(data) => data.invokers}
      nouns={NOUNS}
      empty={
        <EmptyState icon="empty" title="No invokers">
          {search === '' ? 'Import one to call a system.' : 'No results match the search.'}
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Invokers"
          columns={COLUMNS}
          items={items}
          keyOf={({ id }) => id}
          selection={
            hasPermission.value('INVOKER:DELETE')
              ? {
                  name: ({ name }) => `invoker ${name}`,
                  actions: (selected) => (
                    <DeleteSelected
                      count={selected.length}
                      nouns={NOUNS}
                      forceText="Delete them even if connectors or workflows use them. These then fail."
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
