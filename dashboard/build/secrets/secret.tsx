import { useState } from 'preact/hooks';
import { useRefreshedQuery } from '../../api/hooks';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  DeleteSecretDocument,
  SecretDetailsDocument,
  UpdateSecretDocument,
} from '../../generated/operations';
import type { SecretDetailsQuery } from '../../generated/operations';
import { DeleteRecord, UserList, usersOf } from '../../parts/delete-records';
import { isolateDirection } from '../../parts/format';
import { enteredText, Form, throwUserErrors } from '../../parts/form';
import { notify } from '../../parts/notices';
import { Card, Heading, RecordPage } from '../../parts/page';
import { href, navigate } from '../../router';
import { SecretFields, secretOf } from './secret-fields';

type Secret = NonNullable<SecretDetailsQuery['secret']>;

function SettingsCard({ secret, reload }: { secret: Secret; reload: () => Promise<void> }) {
  const [saves, setSaves] = useState(0);
  const save = async (values: FormData): Promise<void> => {
    const value = enteredText(values, 'value');
    const { secretUpdate } = await request(UpdateSecretDocument, {
      input: {
        id: String(secret.databaseId),
        expectedVersion: secret.version,
        ...secretOf(values),
        ...(value === '' ? {} : { value }),
      },
    });
    throwUserErrors(secretUpdate.userErrors);
    await reload();
    // Begins again with the saved values: the value is no longer in its input.
    setSaves(saves + 1);
    notify('The secret was saved.');
  };
  return (
    <Card title="Settings">
      <Form
        key={saves}
        label="Secret"
        submitText="Save secret"
        submit={save}
        isReadOnly={!secret.viewerCan.update}
      >
        <SecretFields secret={secret} />
      </Form>
    </Card>
  );
}

function DeleteSecret({ secret }: { secret: Secret }) {
  const { databaseId, name, version, usedBy } = secret;
  const remove = async (force: boolean): Promise<void> => {
    const { secretDelete } = await request(DeleteSecretDocument, {
      id: String(databaseId),
      expectedVersion: version,
      force,
    });
    throwUserErrors(secretDelete.userErrors);
    notify(`${isolateDirection(name)} was deleted.`);
    navigate(href('secrets'));
  };
  return (
    <DeleteRecord
      noun="secret"
      name={name}
      users={usersOf(usedBy)}
      forceText="Delete it anyway. Runs of workflows that use it then fail."
      remove={remove}
    />
  );
}

/** One named secret: its settings and what uses it. */
export function SecretPage({ id }: { id: string }) {
  const variables = { id, withWorkflows: hasPermission.value('CONNECTION:READ') };
  const { query, refresh: reload } = useRefreshedQuery(SecretDetailsDocument, variables);
  return (
    <RecordPage
      title={`Secret ${id}`}
      name="secret"
      query={query}
      recordOf={({ secret }) => secret}
      notFoundText="It may have been deleted."
    >
      {(secret) => {
        const users = usersOf(secret.usedBy);
        return (
          <>
            <Heading title={secret.name}>
              <a href={href('secrets')}>All secrets</a>
              {secret.viewerCan.delete ? <DeleteSecret secret={secret} /> : null}
            </Heading>
            <div class="account-cards">
              <SettingsCard secret={secret} reload={reload} />
              {users === null ? null : (
                <Card title="Used by">
                  <UserList users={users} />
                </Card>
              )}
            </div>
          </>
        );
      }}
    </RecordPage>
  );
}
