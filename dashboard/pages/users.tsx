import type { ComponentChildren } from 'preact';
import { SECOND_FACTOR_TEXTS } from '../account/second-factor-card';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { hasPermission } from '../current-user';
import { CreateUserDocument, InviteUserDocument, UserListDocument } from '../generated/operations';
import type { UserFilter, UserListQuery } from '../generated/operations';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { SegmentedControl } from '../parts/fields';
import { isolateDirection } from '../parts/format';
import { enteredText, TextField, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { currentSearch, FilterBar, ListPage, ListSearch, setFilters } from '../parts/list-page';
import { notify } from '../parts/notices';
import { pageVariables } from '../parts/pager';
import { EmptyState } from '../parts/states';
import { Time } from '../parts/runs/times';
import { href, navigate, route } from '../router';
import { AUTH_SOURCE_TEXTS } from '../users/auth-source';
import { DisabledTag } from '../users/disabled-tag';
import { GroupField, GroupFilter } from '../users/group-field';

type User = UserListQuery['users']['nodes'][number];

const STATES = [
  { value: '', text: 'Any' },
  { value: 'enabled', text: 'Enabled' },
  { value: 'disabled', text: 'Disabled' },
];

const ORDERS = [
  { value: '', text: 'E-mail' },
  { value: 'login', text: 'Last login' },
];

interface UserSelection {
  readonly search: string;
  readonly group: string | null;
  readonly isByLogin: boolean;
  /** Null: both. */
  readonly isDisabled: boolean | null;
}

const toFilter = ({ search, group, isDisabled }: UserSelection): UserFilter => ({
  ...(isDisabled === null ? {} : { disabledAt: { isNull: !isDisabled } }),
  ...(group === null ? {} : { groupId: { eq: group } }),
  ...(search === ''
    ? {}
    : {
        or: [
          { email: { contains: search } },
          { name: { contains: search } },
          { surname: { contains: search } },
        ],
      }),
});

const nameOf = ({ detail: { name, surname } }: User): string =>
  [name, surname].filter(Boolean).join(' ');

function LastLogin({ at }: { at: string | null }) {
  return at === null ? <span class="quiet">never</span> : <Time at={at} />;
}

const COLUMNS: readonly Column<User>[] = [
  {
    title: 'User',
    cellClass: 'cell-main',
    cell: (user) => (
      <>
        <a class="row-link" href={href(`users/${user.databaseId}`)}>
          <bdi>{user.email}</bdi>
        </a>
        <DisabledTag user={user} />
        <span class="line quiet">
          <bdi>{nameOf(user)}</bdi>
        </span>
        <span class="only-narrow quiet">
          <bdi>{user.group.name}</bdi>, last login: <LastLogin at={user.lastLogin} />
        </span>
      </>
    ),
  },
  {
    title: 'Group',
    isWideOnly: true,
    cellClass: 'cell-title',
    cell: ({ group }) => <bdi>{group.name}</bdi>,
  },
  { title: 'Source', cell: ({ authSource }) => AUTH_SOURCE_TEXTS[authSource] },
  {
    title: 'Second factor',
    isWideOnly: true,
    cell: ({ secondFactor }) => SECOND_FACTOR_TEXTS[secondFactor ?? 'OFF'],
  },
  {
    title: 'Last login',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ lastLogin }) => <LastLogin at={lastLogin} />,
  },
];

/** The fields of a new user, without the password. */
const newUserOf = (values: FormData) => ({
  email: textOf(values, 'email'),
  groupId: textOf(values, 'groupId'),
  detail: {
    name: textOf(values, 'detail.name') || null,
    surname: textOf(values, 'detail.surname') || null,
  },
});

/** The fields that `newUserOf` reads. */
function NewUserFields({ children }: { children?: ComponentChildren }) {
  return (
    <>
      <TextField label="E-mail" name="email" maxLength={254} isRequired />
      {children}
      <GroupField />
      <TextField label="Given name" name="detail.name" maxLength={45} />
      <TextField label="Family name" name="detail.surname" maxLength={45} />
    </>
  );
}

/** Creates a user who sets the password with a mailed link. */
function InviteUser() {
  const invite = async (values: FormData): Promise<void> => {
    const { userInvite } = await request(InviteUserDocument, { input: newUserOf(values) });
    throwUserErrors(userInvite.userErrors);
    notify(`An invitation is sent to ${isolateDirection(textOf(values, 'email'))}.`);
    navigate(href(`users/${userInvite.user?.databaseId}`));
  };
  return (
    <FormDialog icon="mail" text="Invite user" submitText="Send invitation" submit={invite}>
      <p class="quiet">The user gets a mail with a link to set the password, valid for 7 days.</p>
      <NewUserFields />
    </FormDialog>
  );
}

function CreateUser() {
  const create = async (values: FormData): Promise<void> => {
    const { userCreate } = await request(CreateUserDocument, {
      input: { ...newUserOf(values), password: enteredText(values, 'password') },
    });
    throwUserErrors(userCreate.userErrors);
    navigate(href(`users/${userCreate.user?.databaseId}`));
  };
  return (
    <FormDialog icon="plus" text="New user" submitText="Create user" submit={create}>
      <NewUserFields>
        <TextField
          label="Password (8 to 128 characters)"
          name="password"
          isPassword
          autocomplete="new-password"
          isRequired
        />
      </NewUserFields>
    </FormDialog>
  );
}

function UserFilters({ group, isByLogin, isDisabled }: UserSelection) {
  return (
    <FilterBar label="Filter users">
      <ListSearch label="E-mail or name" />
      {hasPermission.value('USERGROUP:READ') ? (
        <GroupFilter value={group ?? ''} onChange={(value) => setFilters({ group: value })} />
      ) : null}
      <SegmentedControl
        label="State"
        value={isDisabled === null ? '' : isDisabled ? 'disabled' : 'enabled'}
        options={STATES}
        onChange={(value) => setFilters({ state: value })}
      />
      <SegmentedControl
        label="Order"
        value={isByLogin ? 'login' : ''}
        options={ORDERS}
        onChange={(value) => setFilters({ order: value })}
      />
    </FilterBar>
  );
}

/** All users, with a dialog that creates one. */
export function Users() {
  const { query } = route.value;
  const group = query.get('group');
  const state = query.get('state');
  const selection: UserSelection = {
    search: currentSearch(),
    group: group !== null && /^\d{1,9}$/.test(group) ? group : null,
    isByLogin: query.get('order') === 'login',
    isDisabled: state === 'enabled' || state === 'disabled' ? state === 'disabled' : null,
  };
  const users = useQuery(UserListDocument, {
    filter: toFilter(selection),
    orderBy: selection.isByLogin
      ? { field: 'LAST_LOGIN', direction: 'DESC' }
      : { field: 'EMAIL', direction: 'ASC' },
    ...pageVariables(),
  });
  // A new user needs a group.
  const canCreate = ['USER:CREATE', 'USERGROUP:READ'].every(hasPermission.value);
  return (
    <ListPage
      title="Users"
      actions={
        canCreate ? (
          <>
            <InviteUser />
            <CreateUser />
          </>
        ) : null
      }
      filters={<UserFilters {...selection} />}
      query={users}
      name="users"
      connection={(data) => data.users}
      nouns={['user', 'users']}
      empty={
        <EmptyState icon="person" title="No users">
          No results match the filters.
        </EmptyState>
      }
      pagerTexts={['Back', 'Next']}
    >
      {(items) => (
        <DataTable
          label="Users"
          columns={COLUMNS}
          items={items}
          keyOf={({ databaseId }) => databaseId}
        />
      )}
    </ListPage>
  );
}
