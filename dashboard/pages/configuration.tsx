import type { ComponentChildren } from 'preact';
import { useQuery } from '../api/hooks';
import { masterPassword, requireMasterPassword } from '../api/master-password';
import { request } from '../api/request';
import { AddKey } from '../configuration/add-key';
import { BackupsCard } from '../configuration/backups-card';
import { DifferenceTable } from '../configuration/difference-table';
import { FieldTable } from '../configuration/field-table';
import type { FieldChange } from '../configuration/field-table';
import { matchingFields } from '../configuration/values';
import {
  ConfigurationBackupDocument,
  ConfigurationDocument,
  RestartServiceDocument,
  RestoreConfigurationDocument,
  UpdateConfigurationDocument,
} from '../generated/operations';
import type { ConfigurationQuery } from '../generated/operations';
import { Action } from '../parts/action';
import { enteredText, Form, TextField, throwUserErrors } from '../parts/form';
import { currentSearch, FilterBar, ListSearch } from '../parts/list-page';
import { notify } from '../parts/notices';
import { Card, Heading } from '../parts/page';
import { EmptyState, QueryContent } from '../parts/states';

requireMasterPassword(
  ConfigurationDocument,
  ConfigurationBackupDocument,
  UpdateConfigurationDocument,
  RestartServiceDocument,
  RestoreConfigurationDocument,
);

const TITLE = 'System configuration';

function MasterPasswordCard({ reload }: { reload: () => void }) {
  return (
    <Card title="Master password">
      {masterPassword.value === null ? null : <p role="alert">The master password is wrong.</p>}
      <Form
        label="Master password"
        submitText="Continue"
        isGuarded={false}
        submit={async (values) => {
          masterPassword.value = enteredText(values, 'password');
          reload();
        }}
      >
        <TextField label="Master password" name="password" isPassword isRequired isFocused />
      </Form>
    </Card>
  );
}

async function restart(): Promise<void> {
  const { serviceRestart } = await request(RestartServiceDocument, { input: {} });
  throwUserErrors(serviceRestart.userErrors.map(({ message }) => ({ message, path: [] })));
  notify('The service restarts. The page connects again when it is back.');
}

function PendingCard({
  pending,
  canRestart,
  settings,
}: Pick<ConfigurationQuery['applicationConfig'], 'pending' | 'canRestart' | 'settings'>) {
  if (pending.length === 0) return null;
  const supervised = settings.find(({ key }) => key.endsWith('.supervised'));
  return (
    <Card
      title="Restart needed"
      aside={
        canRestart ? (
          <Action
            icon="retry"
            text="Restart the service"
            confirm="Restart the service? Runs are interrupted, and clients connect again after a few seconds."
            run={restart}
          />
        ) : null
      }
    >
      <p>The service uses these values after its next start.</p>
      {canRestart ? null : (
        <p>
          Restart it on its machine, with all its processes: it uses a MongoDB, or no supervisor is
          declared here
          {supervised === undefined ? null : (
            <>
              {' '}
              (<code>{supervised.key}</code>)
            </>
          )}
          .
        </p>
      )}
      <DifferenceTable label="Changes that wait for a restart" items={pending} />
    </Card>
  );
}

function ProblemsCard({
  title,
  problems,
  children,
}: {
  title: string;
  problems: readonly string[];
  children?: ComponentChildren;
}) {
  if (problems.length === 0) return null;
  return (
    <Card title={title} kind="bad">
      {children}
      <ul>
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
      </ul>
    </Card>
  );
}

function ConfigurationContent({ data, reload }: { data: ConfigurationQuery; reload: () => void }) {
  const { fields, pending, problems, settings, path, exists, revision, canRestart, writeProblems } =
    data.applicationConfig;
  const used = new Set(fields.map((field) => field.path));
  const shown = matchingFields(fields, currentSearch());
  const save = async (change: FieldChange): Promise<void> => {
    const { applicationConfigUpdate } = await request(UpdateConfigurationDocument, {
      input: { fields: [change], revision },
    });
    throwUserErrors(applicationConfigUpdate.userErrors);
    notify(applicationConfigUpdate.result?.message ?? '');
    reload();
  };
  return (
    <div class="config-cards">
      <ProblemsCard title="Problems" problems={problems}>
        <p>The service would not start with this file.</p>
      </ProblemsCard>
      <ProblemsCard title="No change can be saved" problems={writeProblems} />
      <PendingCard pending={pending} canRestart={canRestart} settings={settings} />
      <Card title={path} aside={<AddKey settings={settings} used={used} save={save} />}>
        <FilterBar label="Filter keys">
          <ListSearch label="Search" />
        </FilterBar>
        {shown.length > 0 ? (
          <FieldTable fields={shown} all={fields} save={save} />
        ) : (
          <EmptyState icon="empty" title="No keys">
            {exists ? 'No results match the search.' : 'There is no file. Adding a key creates it.'}
          </EmptyState>
        )}
      </Card>
      <BackupsCard backups={data.applicationConfigBackups} revision={revision} reload={reload} />
    </div>
  );
}

/** The configuration file: its keys, what waits for a restart, and backups. */
export function Configuration() {
  const query = useQuery(ConfigurationDocument, {});
  const needsPassword = query.failure?.code === 'MASTER_PASSWORD_WRONG';
  return (
    <>
      <Heading title={TITLE} />
      {needsPassword ? (
        <MasterPasswordCard reload={query.reload} />
      ) : (
        <QueryContent query={query} name="the configuration" rows={10}>
          {(data) => <ConfigurationContent data={data} reload={query.reload} />}
        </QueryContent>
      )}
    </>
  );
}
