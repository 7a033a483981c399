import type { UserProps } from '../account/details-card';
import { request } from '../api/request';
import { RemovePasswordDocument } from '../generated/operations';
import { throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';

/** Turns the account of another user into one of the directory, after a confirmation. */
export function RemovePassword({ user, onChange }: UserProps) {
  const { databaseId, email, version, viewerCan } = user;
  if (!viewerCan.removePassword) return null;
  const remove = async (): Promise<void> => {
    const { userPasswordRemove } = await request(RemovePasswordDocument, {
      id: String(databaseId),
      expectedVersion: version,
    });
    throwUserErrors(userPasswordRemove.userErrors);
    if (userPasswordRemove.user) onChange(userPasswordRemove.user);
    notify('The local password was removed.');
  };
  return (
    <FormDialog
      icon="lock"
      text="Remove the local password"
      submitText="Remove password"
      submit={remove}
    >
      <p>
        Remove the local password of <bdi>{email}</bdi>? From then on the LDAP directory checks the
        password. The sessions of the user end.
      </p>
    </FormDialog>
  );
}
