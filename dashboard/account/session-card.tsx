import type { QueryResult } from '../api/hooks';
import { hasPermission } from '../current-user';
import type { AccountSessionsQuery } from '../generated/operations';
import { Action } from '../parts/action';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import { QueryContent } from '../parts/states';
import { endSession, SessionTable } from './session-table';

/** Sessions of the signed-in user. */
export function SessionCard({ query }: { query: QueryResult<AccountSessionsQuery> }) {
  const canEnd = hasPermission.value('MYPROFILE:UPDATE');
  const others = (query.data?.mySessions ?? []).filter(({ current }) => !current);
  const endOthers = async (): Promise<void> => {
    try {
      for (const { sessionId } of others) await endSession(sessionId);
      notify('All other sessions were ended.');
    } finally {
      query.reload();
    }
  };
  return (
    <Card
      title="Sessions"
      aside={
        canEnd && others.length > 0 ? (
          <Action
            icon="stop"
            text="End all others"
            confirm="End all other sessions? Programs and browsers that use them must sign in again."
            confirmText="End sessions"
            run={endOthers}
          />
        ) : null
      }
    >
      <QueryContent query={query} name="sessions" rows={2}>
        {({ mySessions }) => (
          <SessionTable sessions={mySessions} canEnd={canEnd} onEnd={query.reload} />
        )}
      </QueryContent>
    </Card>
  );
}
