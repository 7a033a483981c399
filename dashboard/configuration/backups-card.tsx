import { useQuery } from '../api/hooks';
import { request } from '../api/request';
import { ConfigurationBackupDocument, RestoreConfigurationDocument } from '../generated/operations';
import type { ConfigurationQuery } from '../generated/operations';
import { Action, throwUserError } from '../parts/action';
import { DataTable } from '../parts/data-table';
import type { Column } from '../parts/data-table';
import { formatNumber } from '../parts/format';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import { QueryContent } from '../parts/states';
import { Time } from '../parts/runs/times';
import { DifferenceTable } from './difference-table';

type Backup = ConfigurationQuery['applicationConfigBackups'][number];

function BackupDetails({ name }: { name: string }) {
  const backup = useQuery(ConfigurationBackupDocument, { name });
  return (
    <QueryContent query={backup} name="backups" rows={2}>
      {({ applicationConfigBackup: { changes } }) =>
        changes.length === 0 ? (
          <p class="quiet">The backup has the same values as the file.</p>
        ) : (
          <DifferenceTable label={`What restoring ${name} would change`} items={changes} />
        )
      }
    </QueryContent>
  );
}

/** The copies of the file that were made before changes. */
export function BackupsCard({
  backups,
  revision,
  reload,
}: {
  backups: readonly Backup[];
  revision: string;
  reload: () => void;
}) {
  const restore = async (name: string): Promise<void> => {
    const { applicationConfigRestore } = await request(RestoreConfigurationDocument, {
      input: { name, revision },
    });
    throwUserError(applicationConfigRestore.userErrors);
    notify(applicationConfigRestore.result?.message ?? '');
    reload();
  };
  const columns: readonly Column<Backup>[] = [
    { title: 'Made', cellClass: 'cell-main', cell: ({ createdAt }) => <Time at={createdAt} /> },
    { title: 'File', isWideOnly: true, cell: ({ name }) => <code>{name}</code> },
    {
      title: 'Bytes',
      headerClass: 'number',
      cellClass: 'number num',
      cell: ({ bytes }) => formatNumber(bytes),
    },
    {
      title: 'Restore',
      isTitleHidden: true,
      cellClass: 'cell-actions',
      cell: ({ name }) => (
        <Action
          icon="retry"
          text="Restore"
          label={`Restore ${name}`}
          confirm={`Restore ${name}? The present file is backed up before.`}
          run={() => restore(name)}
        />
      ),
    },
  ];
  return (
    <Card title="Backups">
      {backups.length === 0 ? (
        <p class="quiet">Each change of the file makes one.</p>
      ) : (
        <DataTable
          label="Backups"
          columns={columns}
          items={backups}
          keyOf={({ name }) => name}
          details={{
            name: ({ name }) => name,
            render: ({ name }) => <BackupDetails name={name} />,
          }}
        />
      )}
    </Card>
  );
}
