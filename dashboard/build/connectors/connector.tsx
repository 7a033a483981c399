import { useState } from 'preact/hooks';
import { useRefreshedQuery } from '../../api/hooks';
import { request, upload } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  ConfirmConnectorDocument,
  ConnectorDetailsDocument,
  DeleteConnectorDocument,
  RemoveConnectorIconDocument,
  UploadConnectorIconDocument,
} from '../../generated/operations';
import type { ConnectorDetailsQuery, ConnectorRecordFragment } from '../../generated/operations';
import { DeleteRecord, UserList } from '../../parts/delete-records';
import { isolateDirection } from '../../parts/format';
import { enteredText, TextField, throwUserErrors } from '../../parts/form';
import { FormDialog } from '../../parts/form-dialog';
import { notify } from '../../parts/notices';
import { Card, Heading, RecordPage } from '../../parts/page';
import { PictureForm } from '../../parts/picture-form';
import { href, navigate } from '../../router';
import { pathOf } from '../invokers/invoker-path';
import { ConnectorForm, withMasterPassword } from './connector-form';
import { LastCheck } from './last-check';

interface ConnectorProps {
  readonly connector: ConnectorRecordFragment;
  /** Resolves when the current record is shown. */
  readonly reload: () => Promise<void>;
}

const keyOf = ({ databaseId, version }: ConnectorRecordFragment) => ({
  id: String(databaseId),
  expectedVersion: version,
});

/** Values that are sent nowhere until a user confirms where they may be sent. */
function SuspendedCard({ connector, reload }: ConnectorProps) {
  const suspended = connector.requestData.filter((field) => field.suspended);
  if (suspended.length === 0) return null;
  const confirm = async (values: FormData): Promise<void> => {
    const { connectorConfirm } = await withMasterPassword(enteredText(values, 'password'), () =>
      request(ConfirmConnectorDocument, keyOf(connector)),
    );
    throwUserErrors(connectorConfirm.userErrors);
    notify('The credentials were confirmed.');
    await reload();
  };
  return (
    <Card
      title="Credentials need confirmation"
      kind="bad"
      aside={
        connector.viewerCan.update ? (
          <FormDialog icon="check" text="Confirm credentials" submit={confirm}>
            <p>The saved values may then be sent to these addresses.</p>
            <TextField label="Master password" name="password" isPassword isRequired />
          </FormDialog>
        ) : null
      }
    >
      <p>
        The invoker changed, and saved values would be sent to other addresses than they were
        entered for. Nothing is sent until they are entered again or confirmed.
      </p>
      <ul>
        {suspended.map(({ name, unconfirmedOrigins }) => (
          <li key={name}>
            <b>
              <bdi>{name}</bdi>
            </b>
            {unconfirmedOrigins.length === 0 ? null : (
              <>
                : <bdi dir="ltr">{unconfirmedOrigins.join(', ')}</bdi>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function SettingsCard({ connector, reload }: ConnectorProps) {
  const { invoker, invokerName, lastCheck } = connector;
  const [saves, setSaves] = useState(0);
  const onSaved = async (): Promise<void> => {
    await reload();
    // Begins again with the saved values: hidden ones are no longer in their inputs.
    setSaves(saves + 1);
    notify('The connector was saved.');
  };
  return (
    <Card
      title="Settings"
      aside={
        <span>
          <span class="quiet">Last test: </span>
          <LastCheck check={lastCheck} />
        </span>
      }
    >
      {invoker === null ? (
        <p>
          The invoker <bdi>{invokerName}</bdi> was deleted, or you may not read it. Import it again
          to change this connector.
        </p>
      ) : (
        <ConnectorForm
          key={saves}
          invoker={invoker}
          connector={connector}
          onSaved={onSaved}
          onTested={reload}
        />
      )}
    </Card>
  );
}

function IconCard({ connector, reload }: ConnectorProps) {
  const { icon, viewerCan } = connector;
  const key = keyOf(connector);
  const save = async (file: File): Promise<void> => {
    const { connectorIconUpload } = await upload(
      UploadConnectorIconDocument,
      { input: { ...key, file: null } },
      'input.file',
      file,
    );
    throwUserErrors(connectorIconUpload.userErrors);
    await reload();
  };
  const remove = async (): Promise<void> => {
    const { connectorIconRemove } = await request(RemoveConnectorIconDocument, key);
    throwUserErrors(connectorIconRemove.userErrors);
    await reload();
  };
  return (
    <PictureForm
      title="Icon"
      noun="icon"
      url={icon}
      canChange={viewerCan.update}
      save={save}
      remove={remove}
    />
  );
}

function DeleteConnector({
  connector,
  users,
}: {
  connector: ConnectorRecordFragment;
  users: NonNullable<ConnectorDetailsQuery['workflows']> | null;
}) {
  const remove = async (force: boolean): Promise<void> => {
    const { connectorDelete } = await request(DeleteConnectorDocument, {
      ...keyOf(connector),
      force,
    });
    throwUserErrors(connectorDelete.userErrors);
    notify(`${isolateDirection(connector.title)} was deleted.`);
    navigate(href('connectors'));
  };
  return (
    <DeleteRecord
      noun="connector"
      name={connector.title}
      users={users}
      forceText="Delete it anyway. The steps that use it then have no connector, and their runs fail."
      remove={remove}
    />
  );
}

/** One connector: its settings, what uses it, and its icon. */
export function ConnectorPage({ id }: { id: string }) {
  const variables = {
    id,
    workflow: { eq: id },
    withWorkflows: hasPermission.value('CONNECTION:READ'),
  };
  const { query, refresh: reload } = useRefreshedQuery(ConnectorDetailsDocument, variables);
  return (
    <RecordPage
      title={`Connector ${id}`}
      name="connector"
      query={query}
      recordOf={({ connector, workflows }) =>
        connector && { connector, workflows: workflows ?? null }
      }
      notFoundText="It may have been deleted."
    >
      {({ connector, workflows }) => {
        const props = { connector, reload };
        return (
          <>
            <Heading title={connector.title}>
              {hasPermission.value('INVOKER:READ') ? (
                <a href={href(pathOf(connector.invokerName))}>
                  <bdi>{connector.invokerName}</bdi>
                </a>
              ) : (
                <span class="tag">
                  <bdi>{connector.invokerName}</bdi>
                </span>
              )}
              {connector.viewerCan.delete ? (
                <DeleteConnector connector={connector} users={workflows} />
              ) : null}
            </Heading>
            <div class="account-cards">
              <SuspendedCard {...props} />
              <SettingsCard {...props} />
              {workflows === null ? null : (
                <Card title="Used by">
                  <UserList users={workflows} />
                </Card>
              )}
              <IconCard {...props} />
            </div>
          </>
        );
      }}
    </RecordPage>
  );
}
