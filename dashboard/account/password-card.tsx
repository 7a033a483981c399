import type { ComponentChildren } from 'preact';
import { request } from '../api/request';
import { ChangeOwnPasswordDocument, ChangePasswordDocument } from '../generated/operations';
import type { UserRecordFragment } from '../generated/operations';
import { enteredText, Form, Rejected, TextField, throwUserErrors } from '../parts/form';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import type { UserProps } from './details-card';

/** What the form holds. */
interface Passwords {
  readonly currentPassword: string;
  readonly newPassword: string;
  readonly confirmPassword: string;
}
type Change = (passwords: Passwords) => Promise<UserRecordFragment | null>;

async function changeOwn(input: Passwords): Promise<UserRecordFragment | null> {
  const { ownPasswordChange } = await request(ChangeOwnPasswordDocument, { input });
  throwUserErrors(ownPasswordChange.userErrors);
  return ownPasswordChange.user;
}

const changeOf =
  ({ databaseId, version }: UserRecordFragment): Change =>
  async ({ newPassword: password }) => {
    const { userPasswordChange } = await request(ChangePasswordDocument, {
      input: { id: String(databaseId), expectedVersion: version, password },
    });
    throwUserErrors(
      userPasswordChange.userErrors.map((error) =>
        error.path?.includes('password') ? { ...error, path: ['newPassword'] } : error,
      ),
    );
    return userPasswordChange.user;
  };

function PasswordForm({
  isOwn = false,
  change,
  onChange,
}: {
  isOwn?: boolean;
  change: Change;
  onChange: UserProps['onChange'];
}) {
  const save = async (values: FormData): Promise<void> => {
    const newPassword = enteredText(values, 'newPassword');
    const confirmPassword = enteredText(values, 'confirmPassword');
    if (newPassword !== confirmPassword)
      throw new Rejected([{ message: 'The passwords differ.', path: ['confirmPassword'] }]);
    const currentPassword = isOwn ? enteredText(values, 'currentPassword') : '';
    const user = await change({ currentPassword, newPassword, confirmPassword });
    if (user) onChange(user);
    notify('The password was changed.');
  };
  return (
    <Form label="Password" submitText="Change password" submit={save} clears>
      {isOwn ? (
        <TextField
          label="Current password"
          name="currentPassword"
          isPassword
          autocomplete="current-password"
          isRequired
        />
      ) : null}
      <TextField
        label="New password"
        name="newPassword"
        isPassword
        autocomplete="new-password"
        isRequired
      />
      <TextField
        label="Repeat the new password"
        name="confirmPassword"
        isPassword
        autocomplete="new-password"
        isRequired
      />
    </Form>
  );
}

const RULES = '8 to 128 characters.';
const OfDirectory = () => (
  <Card title="Password">
    <p class="quiet">An LDAP directory checks this password. Change it there.</p>
  </Card>
);

/** Changes the password of the signed-in user, with the current one. */
export function OwnPasswordCard({ user, onChange }: UserProps) {
  if (user.authSource === 'LDAP') return <OfDirectory />;
  if (!user.viewerCan.changePassword) return null;
  return (
    <Card title="Password">
      <p class="quiet">{RULES} Your other sessions end.</p>
      <PasswordForm isOwn change={changeOwn} onChange={onChange} />
    </Card>
  );
}

/**
 * Sets a new password of another user.
 * @param props.aside shown next to the title unless a directory keeps the password
 */
export function PasswordCard({ user, onChange, aside }: UserProps & { aside?: ComponentChildren }) {
  if (user.authSource === 'LDAP') return <OfDirectory />;
  if (!user.viewerCan.changePassword) return null;
  return (
    <Card title="Password" aside={aside}>
      <p class="quiet">{RULES} All sessions of the user end.</p>
      <PasswordForm change={changeOf(user)} onChange={onChange} />
    </Card>
  );
}
