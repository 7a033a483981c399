import { DetailsCard } from '../account/details-card';
import { OwnPasswordCard } from '../account/password-card';
import { PictureCard } from '../account/picture-card';
import { SecondFactorCard } from '../account/second-factor-card';
import { SessionCard } from '../account/session-card';
import { TokenCard } from '../account/token-card';
import { useQuery } from '../api/hooks';
import { hasPermission } from '../current-user';
import { AccountDocument, AccountSessionsDocument } from '../generated/operations';
import type { UserRecordFragment } from '../generated/operations';
import { Heading, RecordPage } from '../parts/page';

/** Details, picture, password, second factor, API tokens and sessions of the signed-in user. */
export function Account() {
  const account = useQuery(AccountDocument, {});
  const sessions = useQuery(AccountSessionsDocument, {});
  const onChange = (user: UserRecordFragment): void =>
    account.update((data) => ({ ...data, me: { ...data.me, ...user } }));
  return (
    <RecordPage
      title="Account"
      name="account"
      query={account}
      recordOf={(data) => data}
      notFoundText=""
    >
      {({ me, secondFactorRequired }) => (
        <>
          <Heading title="Account">
            <span class="quiet">
              <bdi>{me.email}</bdi>, group <bdi>{me.group.name}</bdi>
            </span>
          </Heading>
          <div class="account-cards">
            <DetailsCard user={me} onChange={onChange} />
            <PictureCard user={me} onChange={onChange} />
            <OwnPasswordCard
              user={me}
              onChange={(user) => {
                onChange(user);
                sessions.reload();
              }}
            />
            <SecondFactorCard
              state={me.secondFactor ?? 'OFF'}
              isRequired={secondFactorRequired}
              onChange={() => {
                account.reload();
                sessions.reload();
              }}
            />
            <TokenCard grants={me.can} isAdmin={hasPermission.value('admin')} />
            <SessionCard query={sessions} />
          </div>
        </>
      )}
    </RecordPage>
  );
}
