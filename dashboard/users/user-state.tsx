import type { UserProps } from '../account/details-card';
import { request } from '../api/request';
import {
  DisableUserDocument,
  EnableUserDocument,
  InviteUserAgainDocument,
} from '../generated/operations';
import { Action } from '../parts/action';
import { isolateDirection } from '../parts/format';
import { throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';

/** Refuses or allows the logins of another user. */
export function UserState({ user, onChange }: UserProps) {
  const { databaseId, email, version, disabledAt, viewerCan } = user;
  if (!viewerCan.disable) return null;
  const target = { id: String(databaseId), expectedVersion: version };
  const disable = async (): Promise<void> => {
    const { userDisable } = await request(DisableUserDocument, target);
    throwUserErrors(userDisable.userErrors);
    if (userDisable.user) onChange(userDisable.user);
    notify(`${isolateDirection(email)} was disabled.`);
  };
  const enable = async (): Promise<void> => {
    const { userEnable } = await request(EnableUserDocument, target);
    throwUserErrors(userEnable.userErrors);
    if (userEnable.user) onChange(userEnable.user);
    notify(`${isolateDirection(email)} can sign in again.`);
  };
  if (disabledAt !== null) return <Action icon="check" text="Enable user" run={enable} />;
  return (
    <FormDialog icon="slash" text="Disable user" submit={disable}>
      <p>
        Disable <bdi>{email}</bdi>? They cannot sign in, and their sessions end.
      </p>
      <p>
        Their API tokens and webhooks are deleted, and do not come back when you enable the user.
        Their schedules go on.
      </p>
    </FormDialog>
  );
}

/** Sends the link to set the first password again. */
export function InviteAgain({ user }: Pick<UserProps, 'user'>) {
  const { databaseId, authSource, disabledAt, lastLogin, viewerCan } = user;
  const isPossible = lastLogin === null && disabledAt === null && authSource === 'LOCAL';
  if (!viewerCan.invite || !isPossible) return null;
  const invite = async (): Promise<void> => {
    const { userInviteAgain } = await request(InviteUserAgainDocument, { id: String(databaseId) });
    throwUserErrors(userInviteAgain.userErrors);
    notify('An invitation is sent. Earlier links stop working.');
  };
  return <Action icon="mail" text="Send invitation" run={invite} />;
}
