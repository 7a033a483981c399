import { DetailsCard } from '../account/details-card';
import { PasswordCard } from '../account/password-card';
import { PictureCard } from '../account/picture-card';
import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { currentUser } from '../current-user';
import {
  DeleteUserDocument,
  UserDetailsDocument,
  UserSessionsDocument,
} from '../generated/operations';
import type { UserRecordFragment } from '../generated/operations';
import { isolateDirection } from '../parts/format';
import { throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';
import { Card, Heading, RecordPage } from '../parts/page';
import { Time } from '../parts/runs/times';
import { href, navigate } from '../router';
import { AUTH_SOURCE_TEXTS } from '../users/auth-source';
import { AccessCard } from '../users/access-card';
import { DisabledTag } from '../users/disabled-tag';
import { RemovePassword } from '../users/remove-password';
import { InviteAgain, UserState } from '../users/user-state';
import {
  OtherSecondFactorCard,
  UserSessionsCard,
  UserTokensCard,
} from '../users/user-access-cards';

function DeleteUser({ user: { databaseId, email, version } }: { user: UserRecordFragment }) {
  const remove = async (): Promise<void> => {
    const { userDelete } = await request(DeleteUserDocument, {
      id: String(databaseId),
      expectedVersion: version,
    });
    throwUserErrors(userDelete.userErrors);
    notify(`${isolateDirection(email)} was deleted.`);
    navigate(href('users'));
  };
  return (
    <FormDialog icon="cross" text="Delete user" submit={remove}>
      <p>
        Delete <bdi>{email}</bdi>? Their sessions end and their API tokens stop working.
      </p>
    </FormDialog>
  );
}

/** What the signed-in user changes on the page of the own account. */
function OwnAccount() {
  return (
    <Card title="Your account">
      <p>
        Change your password, second factor, API tokens and sessions on the page of{' '}
        <a href={href('account')}>your account</a>.
      </p>
    </Card>
  );
}

function OtherUser({
  user,
  onChange,
  reload,
}: {
  user: UserRecordFragment;
  onChange: (user: UserRecordFragment) => void;
  reload: () => void;
}) {
  const sessions = useQuery(UserSessionsDocument, { id: String(user.databaseId) });
  const onPassword = (changed: UserRecordFragment): void => {
    onChange(changed);
    sessions.reload();
  };
  return (
    <>
      <PasswordCard
        user={user}
        onChange={onPassword}
        aside={<RemovePassword user={user} onChange={onPassword} />}
      />
      <OtherSecondFactorCard
        user={user}
        onChange={() => {
          reload();
          sessions.reload();
        }}
      />
      <UserTokensCard user={user} />
      <UserSessionsCard user={user} query={sessions} />
    </>
  );
}

/** One user: details, picture, e-mail, group, password, second factor, API tokens and sessions. */
export function UserPage({ id }: { id: string }) {
  const query = useQuery(UserDetailsDocument, { id });
  const onChange = (user: UserRecordFragment): void => query.update(() => ({ user }));
  return (
    <RecordPage
      title={`User ${id}`}
      name="user"
      query={query}
      recordOf={({ user }) => user}
      notFoundText="It may have been deleted."
    >
      {(user) => (
        <>
          <Heading title={user.email}>
            <span class="tag">{AUTH_SOURCE_TEXTS[user.authSource]}</span>
            <span class="quiet">
              {user.lastLogin === null ? (
                'never signed in'
              ) : (
                <>
                  last login <Time at={user.lastLogin} />
                </>
              )}
            </span>
            <DisabledTag user={user} />
            {user.databaseId === currentUser.value?.databaseId ? null : (
              <>
                <InviteAgain user={user} />
                <UserState
                  user={user}
                  onChange={(changed) => {
                    onChange(changed);
                    query.reload();
                  }}
                />
              </>
            )}
            {user.viewerCan.delete ? <DeleteUser user={user} /> : null}
          </Heading>
          <div class="account-cards">
            <DetailsCard user={user} onChange={onChange} />
            <PictureCard user={user} onChange={onChange} />
            <AccessCard user={user} onChange={onChange} />
            {user.databaseId === currentUser.value?.databaseId ? (
              <OwnAccount />
            ) : (
              <OtherUser user={user} onChange={onChange} reload={query.reload} />
            )}
          </div>
        </>
      )}
    </RecordPage>
  );
}
