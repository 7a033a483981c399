import { request } from '../api/request';
import { EndSessionDocument } from '../generated/operations';
import type { SessionRowFragment } from '../generated/operations';
import { Action } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { throwUserErrors } from '../parts/form';
import { EmptyState } from '../parts/states';
import { Time } from '../parts/runs/times';

/** Ends a session. @throws Rejected */
export async function endSession(sessionId: string): Promise<void> {
  const { sessionEnd } = await request(EndSessionDocument, { sessionId });
  throwUserErrors(sessionEnd.userErrors);
}

const columnsOf = (canEnd: boolean, onEnd: () => void): readonly Column<SessionRowFragment>[] => [
  {
    title: 'Client',
    cellClass: 'cell-main',
    cell: ({ userAgent, address, current }) => (
      <>
        <bdi class="line">{userAgent === '' ? 'Unknown client' : userAgent}</bdi>
        <span class="quiet">{address}</span>
        {current ? <span class="tag">This session</span> : null}
      </>
    ),
  },
  {
    title: 'Signed in',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
  {
    title: 'Last used',
    cellClass: 'nowrap',
    cell: ({ lastAccessed }) => <Time at={lastAccessed} />,
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: ({ sessionId, userAgent, address, current }) =>
      canEnd && !current ? (
        <Action
          icon="stop"
          text="End"
          label={`End session of ${userAgent} at ${address}`}
          isQuiet
          run={async () => {
            await endSession(sessionId);
            onEnd();
          }}
        />
      ) : null,
  },
];

/** Sessions of a user, each with a button that ends it. */
export function SessionTable({
  sessions,
  canEnd,
  onEnd,
}: {
  sessions: readonly SessionRowFragment[];
  canEnd: boolean;
  onEnd: () => void;
}) {
  if (sessions.length === 0) return <EmptyState icon="empty" title="No sessions" />;
  return (
    <DataTable
      label="Sessions"
      columns={columnsOf(canEnd, onEnd)}
      items={sessions}
      keyOf={({ sessionId }) => sessionId}
    />
  );
}
