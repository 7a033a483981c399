import type { ComponentChildren } from 'preact';
import { request } from '../api/request';
import { ChangePasswordDocument } from '../generated/operations';
import { enteredText, Form, Rejected, TextField, throwUserErrors } from '../parts/form';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import type { UserProps } from './details-card';

/**
 * Sets a new password.
 * @param props.effect what happens to the sessions of the user
 */
export function PasswordCard({
  user,
  onChange,
  effect,
  aside,
}: UserProps & {
  effect: string;
  /** Shown next to the title unless a directory keeps the password. */
  aside?: ComponentChildren;
}) {
  const { authSource, databaseId, version, viewerCan } = user;
  if (authSource === 'LDAP')
    return (
      <Card title="Password">
        <p class="quiet">An LDAP directory checks this password. Change it there.</p>
      </Card>
    );
  if (!viewerCan.changePassword) return null;
  const save = async (values: FormData): Promise<void> => {
    const password = enteredText(values, 'password');
    if (password !== enteredText(values, 'repeated'))
      throw new Rejected([{ message: 'The passwords differ.', path: ['repeated'] }]);
    const { userPasswordChange } = await request(ChangePasswordDocument, {
      input: { id: String(databaseId), expectedVersion: version, password },
    });
    throwUserErrors(userPasswordChange.userErrors);
    if (userPasswordChange.user) onChange(userPasswordChange.user);
    notify('The password was changed.');
  };
  return (
    <Card title="Password" aside={aside}>
      <p class="quiet">8 to 128 characters. {effect}</p>
      <Form label="Password" submitText="Change password" submit={save} clears>
        <TextField
          label="New password"
          name="password"
          isPassword
          autocomplete="new-password"
          isRequired
        />
        <TextField
          label="Repeat the new password"
          name="repeated"
          isPassword
          autocomplete="new-password"
          isRequired
        />
      </Form>
    </Card>
  );
}
