import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { currentUser, hasPermission, loadCurrentUser } from '../current-user';
import {
  DeleteGroupDocument,
  GroupDetailsDocument,
  SetGroupRightsDocument,
  UpdateGroupDocument,
} from '../generated/operations';
import type { GroupDetailsQuery, GroupRecordFragment } from '../generated/operations';
import { isolateDirection } from '../parts/format';
import { checkedValues, Form, TextField, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { GrantTable } from '../parts/grant-table';
import { notify } from '../parts/notices';
import { Card, Heading, RecordPage } from '../parts/page';
import { href, navigate } from '../router';

interface GroupProps {
  readonly group: GroupRecordFragment;
  readonly onChange: (group: GroupRecordFragment) => void;
}

const grantsOf = ({ components }: GroupRecordFragment): readonly string[] =>
  components.flatMap(({ component, permissions }) =>
    permissions.map(({ name }) => `${component.name}:${name}`),
  );

/** Users can grant and remove only rights that they have. */
const canGrant = (grant: string): boolean =>
  hasPermission.value('admin') || currentUser.value?.permissions.includes(grant) === true;

function GroupDetailsCard({ group, onChange }: GroupProps) {
  const { databaseId, name, description, version, viewerCan } = group;
  const save = async (values: FormData): Promise<void> => {
    const { groupUpdate } = await request(UpdateGroupDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        name: textOf(values, 'name'),
        description: textOf(values, 'description') || null,
      },
    });
    throwUserErrors(groupUpdate.userErrors);
    if (groupUpdate.group) onChange(groupUpdate.group);
    notify('The group was saved.');
  };
  return (
    <Card title="Details">
      <Form label="Details" submitText="Save details" submit={save} isReadOnly={!viewerCan.update}>
        <TextField label="Name" name="name" value={name} maxLength={45} isRequired />
        <TextField label="Description" name="description" value={description} />
      </Form>
    </Card>
  );
}

function RightsCard({
  group,
  onChange,
  components,
  permissions,
}: GroupProps & {
  components: GroupDetailsQuery['components'];
  permissions: readonly string[];
}) {
  const { databaseId, version, viewerCan } = group;
  const granted = grantsOf(group);
  const isManageable = granted.every(canGrant);
  const save = async (values: FormData): Promise<void> => {
    const selected = new Set(checkedValues(values, 'components'));
    const grants = components.map(({ databaseId: componentId, name }) => ({
      componentId: String(componentId),
      permissions: permissions.filter((permission) => selected.has(`${name}:${permission}`)),
    }));
    const { groupComponentsSet } = await request(SetGroupRightsDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        components: grants.filter((grant) => grant.permissions.length > 0),
      },
    });
    throwUserErrors(groupComponentsSet.userErrors);
    if (groupComponentsSet.group) onChange(groupComponentsSet.group);
    loadCurrentUser();
    notify('The rights were saved.');
  };
  return (
    <Card title="Rights">
      {viewerCan.update && !isManageable ? (
        <p class="quiet">This group has rights that you do not have, so you cannot change it.</p>
      ) : null}
      <Form
        label="Rights"
        submitText="Save rights"
        submit={save}
        isReadOnly={!viewerCan.update || !isManageable}
      >
        <GrantTable
          label="Rights"
          name="components"
          components={components}
          permissions={permissions}
          granted={new Set(granted)}
          isOffered={canGrant}
        />
      </Form>
    </Card>
  );
}

function DeleteGroup({ group: { databaseId, name, version } }: { group: GroupRecordFragment }) {
  const remove = async (): Promise<void> => {
    const { groupDelete } = await request(DeleteGroupDocument, {
      id: String(databaseId),
      expectedVersion: version,
    });
    throwUserErrors(groupDelete.userErrors);
    notify(`${isolateDirection(name)} was deleted.`);
    navigate(href('groups'));
  };
  return (
    <FormDialog icon="cross" text="Delete group" submit={remove}>
      <p>
        Delete the group <bdi>{name}</bdi>? Only a group without members can be deleted.
      </p>
    </FormDialog>
  );
}

/** One group of users: name, description and rights. */
export function GroupPage({ id }: { id: string }) {
  const query = useQuery(GroupDetailsDocument, { id });
  const onChange = (userGroup: GroupRecordFragment): void =>
    query.update((data) => ({ ...data, userGroup }));
  return (
    <RecordPage
      title={`Group ${id}`}
      name="group"
      query={query}
      recordOf={({ userGroup, components, permissions }) =>
        userGroup && { group: userGroup, components, permissions: permissions.nodes }
      }
      notFoundText="It may have been deleted."
    >
      {({ group, components, permissions }) => (
        <>
          <Heading title={group.name}>
            {hasPermission.value('USER:READ') ? (
              <a class="button" href={href('users', { group: group.databaseId })}>
                Members
              </a>
            ) : null}
            {group.viewerCan.delete ? <DeleteGroup group={group} /> : null}
          </Heading>
          <div class="account-cards">
            <GroupDetailsCard group={group} onChange={onChange} />
            <RightsCard
              group={group}
              onChange={onChange}
              components={components}
              permissions={permissions.map(({ name }) => name)}
            />
          </div>
        </>
      )}
    </RecordPage>
  );
}
