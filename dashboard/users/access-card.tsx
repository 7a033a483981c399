import type { UserProps } from '../account/details-card';
import { request } from '../api/request';
import { currentUser, hasPermission, loadCurrentUser } from '../current-user';
import { UpdateUserDocument } from '../generated/operations';
import { enteredText, Form, TextField, textOf, throwUserErrors } from '../parts/form';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import { GroupField } from './group-field';

/** E-mail and group of a user. */
export function AccessCard({ user, onChange }: UserProps) {
  const { authSource, databaseId, email, group, version, viewerCan } = user;
  const canReadGroups = hasPermission.value('USERGROUP:READ');
  const isOwnLocal = databaseId === currentUser.value?.databaseId && authSource === 'LOCAL';
  const save = async (values: FormData): Promise<void> => {
    const { userUpdate } = await request(UpdateUserDocument, {
      input: {
        id: String(databaseId),
        expectedVersion: version,
        email: textOf(values, 'email'),
        currentPassword: enteredText(values, 'currentPassword') || null,
        groupId: textOf(values, 'groupId') || null,
      },
    });
    throwUserErrors(userUpdate.userErrors);
    if (userUpdate.user) onChange(userUpdate.user);
    loadCurrentUser();
    notify('E-mail and group were saved.');
  };
  return (
    <Card title="E-mail and group">
      {authSource === 'LDAP' ? (
        <p class="quiet">The group mapping of the LDAP directory sets the group at each login.</p>
      ) : null}
      <Form
        label="E-mail and group"
        submitText="Save e-mail and group"
        submit={save}
        isReadOnly={!viewerCan.update}
      >
        <TextField label="E-mail" name="email" value={email} maxLength={254} isRequired />
        {isOwnLocal && viewerCan.update ? (
          <TextField
            // Emptied after a change.
            key={version}
            label="Current password, to change the e-mail"
            name="currentPassword"
            isPassword
            autocomplete="current-password"
          />
        ) : null}
        {canReadGroups ? (
          <GroupField group={group} />
        ) : (
          <p>
            Group: <bdi>{group.name}</bdi>
          </p>
        )}
      </Form>
    </Card>
  );
}
