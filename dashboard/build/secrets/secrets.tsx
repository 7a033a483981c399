import { useQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  CreateSecretDocument,
  DeleteSecretsDocument,
  SecretsDocument,
} from '../../generated/operations';
import type { SecretsQuery } from '../../generated/operations';
import { DataTable } from '../../parts/data-table';
import type { Column } from '../../parts/data-table';
import { DeleteSelected } from '../../parts/delete-records';
import { enteredText, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { currentSearch, FilterBar, ListPage, ListSearch } from '../../parts/list-page';
import { pageVariables } from '../../parts/pager';
import { EmptyState } from '../../parts/states';
import { href, navigate } from '../../router';
import { SecretFields, secretOf } from './secret-fields';

type Secret = SecretsQuery['secrets']['nodes'][number];

const NOUNS = ['secret', 'secrets'] as const;

const COLUMNS: readonly Column<Secret>[] = [
  {
    title: 'Secret',
    cellClass: 'cell-main',
    cell: ({ databaseId, name, note, origins }) => (
      <>
        <a class="row-link" href={href(`secrets/${databaseId}`)}>
          <bdi>{name}</bdi>
        </a>
        <span class="line quiet clamped">
          <bdi>{note}</bdi>
        </span>
        <span class="only-narrow quiet">
          <bdi dir="ltr">{origins.join(', ')}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Sent to',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: ({ origins }) => <bdi dir="ltr">{origins.join(', ')}</bdi>,
  },
];

function CreateSecret() {
  const create = async (values: FormData): Promise<void> => {
    const { secretCreate } = await request(CreateSecretDocument, {
      input: { ...secretOf(values), value: enteredText(values, 'value') },
    });
    throwUserErrors(secretCreate.userErrors);
    navigate(href(`secrets/${secretCreate.secret?.databaseId}`));
  };
  return (
    <FormDialog icon="plus" text="New secret" submitText="Create secret" isWide submit={create}>
      <SecretFields />
    </FormDialog>
  );
}

/** Named secrets of workflows, without their values. */
export function Secrets() {
  const search = currentSearch();
  const filter = search === '' ? {} : { name: { contains: search } };
  const secrets = useQuery(SecretsDocument, { filter, ...pageVariables() });
  const remove = async (items: readonly Secret[], force: boolean): Promise<void> => {
    const ids = items.map(({ databaseId }) => String(databaseId));
    const { secretsDelete } = await request(DeleteSecretsDocument, { ids, force });
    throwUserErrors(secretsDelete.userErrors);
    secrets.reload();
  };
  const create = hasPermission.value('SECRET:CREATE') ? <CreateSecret /> : null;
  return (
    <ListPage
      title="Secrets"
      actions={create}
      filters={
        <>
          <p class="lead">
            A step uses a secret as <code>{'{%secret.NAME%}'}</code> in its URL, headers and body.
            Its value is never shown.
          </p>
          <FilterBar label="Filter secrets">
            <ListSearch label="Name" />
          </FilterBar>
        </>
      }
      query={secrets}
      name="secrets"
      connection={(data) => data.secrets}
      nouns={NOUNS}
      empty={
        <EmptyState icon="lock" title="No secrets">
          {search === ''
            ? 'Create one for each token that steps send without a connector.'
            : 'No results match the search.'}
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Secrets"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
          selection={
            hasPermission.value('SECRET:DELETE')
              ? {
                  name: ({ name }) => `secret ${name}`,
                  actions: (selected) => (
                    <DeleteSelected
                      count={selected.length}
                      nouns={NOUNS}
                      forceText="Delete them even if workflows use them. Their runs then fail."
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
