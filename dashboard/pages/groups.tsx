import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import { CreateGroupDocument, GroupListDocument } from '../generated/operations';
import type { GroupListQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatNumber } from '../parts/format';
import { TextField, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { currentSearch, FilterBar, ListPage, ListSearch } from '../parts/list-page';
import { pageVariables } from '../parts/pager';
import { EmptyState } from '../parts/states';
import { href, navigate } from '../router';

type Group = GroupListQuery['userGroups']['nodes'][number];

const COLUMNS: readonly Column<Group>[] = [
  {
    title: 'Group',
    cellClass: 'cell-main',
    cell: ({ databaseId, name, description }) => (
      <>
        <a class="row-link" href={href(`groups/${databaseId}`)}>
          <bdi>{name}</bdi>
        </a>
        <span class="line quiet">
          <bdi>{description}</bdi>
        </span>
      </>
    ),
  },
  {
    title: 'Rights',
    headerClass: 'number',
    cellClass: 'number num',
    cell: ({ components }) =>
      formatNumber(components.reduce((sum, { permissions }) => sum + permissions.length, 0)),
  },
];

function CreateGroup() {
  const create = async (values: FormData): Promise<void> => {
    const { groupCreate } = await request(CreateGroupDocument, {
      input: {
        name: textOf(values, 'name'),
        description: textOf(values, 'description') || null,
        components: [],
      },
    });
    throwUserErrors(groupCreate.userErrors);
    navigate(href(`groups/${groupCreate.group?.databaseId}`));
  };
  return (
    <FormDialog icon="plus" text="New group" submitText="Create group" submit={create}>
      <TextField label="Name" name="name" maxLength={45} isRequired />
      <TextField label="Description" name="description" />
    </FormDialog>
  );
}

/** All groups of users, with a dialog that creates one. */
export function Groups() {
  const search = currentSearch();
  const groups = useQuery(GroupListDocument, {
    filter: search === '' ? {} : { name: { contains: search } },
    ...pageVariables(),
  });
  return (
    <ListPage
      title="Groups"
      actions={hasPermission.value('USERGROUP:CREATE') ? <CreateGroup /> : null}
      filters={
        <FilterBar label="Filter groups">
          <ListSearch label="Name" />
        </FilterBar>
      }
      query={groups}
      name="groups"
      connection={(data) => data.userGroups}
      nouns={['group', 'groups']}
      empty={
        <EmptyState icon="person" title="No groups">
          No results match the filters.
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Groups"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
        />
      )}
    </ListPage>
  );
}
