import { SECOND_FACTOR_TEXTS } from '../account/second-factor-card';
import { SessionTable } from '../account/session-table';
import { TokenTable } from '../account/token-table';
import { useQuery } from '../api/hooks';
import type { QueryResult } from '../api/hooks';
import { request } from '../api/request';
import {
  EndUserSessionsDocument,
  RequireSecondFactorDocument,
  ResetSecondFactorDocument,
  UserTokensDocument,
} from '../generated/operations';
import type { UserRecordFragment, UserSessionsQuery } from '../generated/operations';
import { Action } from '../parts/action';
import { throwUserErrors } from '../parts/form';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import { QueryContent } from '../parts/states';

interface ChangedUserProps {
  readonly user: UserRecordFragment;
  /** Called after a change that may have ended sessions. */
  readonly onChange: () => void;
}

/** Requires a second factor of another user, or removes it. */
export function OtherSecondFactorCard({ user, onChange }: ChangedUserProps) {
  const { databaseId, secondFactor, viewerCan } = user;
  const id = String(databaseId);
  const state = secondFactor ?? 'OFF';
  const requireNew = async (): Promise<void> => {
    const { userSecondFactorRequire } = await request(RequireSecondFactorDocument, { id });
    throwUserErrors(userSecondFactorRequire.userErrors);
    notify('The user must set up an app at the next login.');
    onChange();
  };
  const reset = async (): Promise<void> => {
    const { userSecondFactorReset } = await request(ResetSecondFactorDocument, { id });
    throwUserErrors(userSecondFactorReset.userErrors);
    notify('The second factor was removed.');
    onChange();
  };
  return (
    <Card title="Second factor" aside={<span class="tag">{SECOND_FACTOR_TEXTS[state]}</span>}>
      {viewerCan.update ? (
        <div class="form-buttons">
          <Action
            icon="lock"
            text="Require a new app"
            confirm="Require a new authenticator app at the next login? The sessions of the user end."
            run={requireNew}
          />
          {state === 'OFF' ? null : (
            <Action
              icon="cross"
              text="Remove second factor"
              confirm="Remove the second factor? The user then signs in with the password only."
              run={reset}
            />
          )}
        </div>
      ) : (
        <p class="quiet">You cannot change it.</p>
      )}
    </Card>
  );
}

/** Sessions of another user. */
export function UserSessionsCard({
  user: { databaseId, viewerCan },
  query,
}: {
  user: UserRecordFragment;
  query: QueryResult<UserSessionsQuery>;
}) {
  const sessions = query.data?.user?.sessions?.nodes ?? [];
  const endAll = async (): Promise<void> => {
    const { userSessionsEnd } = await request(EndUserSessionsDocument, { id: String(databaseId) });
    throwUserErrors(userSessionsEnd.userErrors);
    notify('The sessions were ended.');
    query.reload();
  };
  return (
    <Card
      title="Sessions"
      aside={
        viewerCan.update && sessions.length > 0 ? (
          <Action
            icon="stop"
            text="End all sessions"
            confirm="End all sessions of this user? They must sign in again."
            run={endAll}
          />
        ) : null
      }
    >
      <QueryContent query={query} name="sessions" rows={2}>
        {() => <SessionTable sessions={sessions} canEnd={viewerCan.update} onEnd={query.reload} />}
      </QueryContent>
    </Card>
  );
}

/** API tokens of another user. */
export function UserTokensCard({ user: { databaseId, viewerCan } }: { user: UserRecordFragment }) {
  const query = useQuery(UserTokensDocument, { id: String(databaseId) });
  return (
    <Card title="API tokens">
      <QueryContent query={query} name="API tokens" rows={2}>
        {({ user }) => (
          <TokenTable
            tokens={user?.apiTokens ?? []}
            canRevoke={viewerCan.update}
            onRevoke={query.reload}
          />
        )}
      </QueryContent>
    </Card>
  );
}
