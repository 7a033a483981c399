import { request } from '../api/request';
import { RevokeApiTokenDocument } from '../generated/operations';
import type { TokenRowFragment } from '../generated/operations';
import { Action } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { isolateDirection } from '../parts/format';
import { throwUserErrors } from '../parts/form';
import { EmptyState } from '../parts/states';
import { now, Time } from '../parts/runs/times';

async function revoke(id: number): Promise<void> {
  const { apiTokenRevoke } = await request(RevokeApiTokenDocument, { id: String(id) });
  throwUserErrors(apiTokenRevoke.userErrors);
}

function Expiry({ at }: { at: string }) {
  if (new Date(at).getTime() <= now.value) return <span class="bad">Expired</span>;
  return <Time at={at} />;
}

const columnsOf = (
  canRevoke: boolean,
  onRevoke: () => void,
): readonly Column<TokenRowFragment>[] => [
  {
    title: 'Token',
    cellClass: 'cell-main',
    cell: ({ name, prefix, scopes }) => (
      <>
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        <code class="quiet">{prefix}…</code>
        <span class="line quiet">{scopes.join(', ')}</span>
      </>
    ),
  },
  { title: 'Expires', cellClass: 'nowrap', cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
  {
    title: 'Last used',
    isWideOnly: true,
    cellClass: 'nowrap',
    cell: ({ lastUsedAt, lastAddress }) =>
      lastUsedAt === null ? (
        <span class="quiet">never</span>
      ) : (
        <>
          <Time at={lastUsedAt} /> <span class="line quiet">{lastAddress}</span>
        </>
      ),
  },
  {
    title: 'Actions',
    isTitleHidden: true,
    cellClass: 'cell-actions',
    cell: ({ apiTokenId, name }) =>
      canRevoke ? (
        <Action
          icon="cross"
          text="Revoke"
          label={`Revoke token ${name}`}
          isQuiet
          confirm={`Revoke the token ${isolateDirection(name)}? Programs that use it lose access at once, and webhooks that were created with it end.`}
          confirmText="Revoke token"
          run={async () => {
            await revoke(apiTokenId);
            onRevoke();
          }}
        />
      ) : null,
  },
];

/** API tokens of a user, each with a button that revokes it. */
export function TokenTable({
  tokens,
  canRevoke,
  onRevoke,
}: {
  tokens: readonly TokenRowFragment[];
  canRevoke: boolean;
  onRevoke: () => void;
}) {
  if (tokens.length === 0) return <EmptyState icon="lock" title="No API tokens" />;
  return (
    <DataTable
      label="API tokens"
      columns={columnsOf(canRevoke, onRevoke)}
      items={tokens}
      keyOf={({ apiTokenId }) => apiTokenId}
    />
  );
}
