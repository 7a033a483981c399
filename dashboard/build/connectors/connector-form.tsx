import { useState } from 'preact/hooks';
import { masterPassword, requireMasterPassword } from '../../api/master-password';
import { request } from '../../api/request';
import { hasPermission } from '../../current-user';
import {
  ConfirmConnectorDocument,
  CreateConnectorDocument,
  InvokerFieldVisibility,
  UpdateConfirmedConnectorDocument,
  UpdateConnectorDocument,
} from '../../generated/operations';
import type { ConnectorInvokerFragment, ConnectorRecordFragment } from '../../generated/operations';
import { CheckField, enteredText, Form, TextAreaField, TextField, textOf } from '../../parts/form';
import { useCheck } from './connector-check';
import {
  changedFields,
  enteredFields,
  initialValueOf,
  inputNameOf,
  storedFieldOf,
  throwConnectorErrors,
} from './connector-values';
import type { RequiredField } from './connector-values';

requireMasterPassword(ConfirmConnectorDocument, UpdateConfirmedConnectorDocument);

interface ConnectorFormProps {
  readonly invoker: ConnectorInvokerFragment;
  /** Null: a new one. */
  readonly connector: ConnectorRecordFragment | null;
  /** Called with the id of the saved connector. */
  readonly onSaved: (id: number) => void | Promise<void>;
  readonly onTested?: () => Promise<void>;
}

/** Uses the master password for one operation. */
export async function withMasterPassword<Result>(
  password: string,
  run: () => Promise<Result>,
): Promise<Result> {
  const before = masterPassword.value;
  masterPassword.value = password;
  try {
    return await run();
  } finally {
    masterPassword.value = before;
  }
}

function CredentialField({
  field,
  connector,
}: {
  field: RequiredField;
  connector: ConnectorRecordFragment | null;
}) {
  const { name, type, visibility, value: fallback } = field;
  const isHidden = visibility !== InvokerFieldVisibility.Public;
  const stored = storedFieldOf(connector, name);
  const isStored = stored?.stored === true;
  const hints = [
    ...(type === '' || type === 'string' ? [] : [`Type: ${type}.`]),
    ...(isHidden && isStored ? ['Saved and hidden. Leave it empty to keep the saved value.'] : []),
    ...(isHidden && !isStored && fallback !== '' ? ['Leave it empty to use the default.'] : []),
    ...(stored?.suspended === true ? ['It needs confirmation: enter it again.'] : []),
  ];
  return (
    <TextField
      label={name}
      name={inputNameOf(name)}
      value={initialValueOf(field, connector)}
      isPassword={isHidden}
      isRequired={fallback === '' && !(isHidden && isStored)}
      autocomplete={isHidden ? 'new-password' : 'off'}
      placeholder={isHidden && isStored ? '••••••••' : undefined}
      hint={hints.join(' ')}
    />
  );
}

const settingsOf = (values: FormData) => ({
  sslCert: !values.has('validatesCertificates'),
  timeout: Math.round(Number(textOf(values, 'timeout') || '0') * 1_000),
});

/** Saves a connector; `needsPassword` is called if the master password is required. */
async function save(
  values: FormData,
  { invoker, connector }: Pick<ConnectorFormProps, 'invoker' | 'connector'>,
  needsPassword: () => void,
): Promise<number | null> {
  const requestData = changedFields(values, invoker, connector);
  const input = {
    ...settingsOf(values),
    title: textOf(values, 'title'),
    description: textOf(values, 'description'),
    keepCookies: values.has('keepCookies'),
    requestData,
  };
  if (connector === null) {
    const { connectorCreate } = await request(CreateConnectorDocument, {
      input: { ...input, invokerName: invoker.name },
    });
    throwConnectorErrors(connectorCreate.userErrors, requestData);
    return connectorCreate.connector?.databaseId ?? null;
  }
  const change = {
    input: { ...input, id: String(connector.databaseId), expectedVersion: connector.version },
  };
  const password = enteredText(values, 'masterPassword');
  const { connectorUpdate } =
    password === ''
      ? await request(UpdateConnectorDocument, change)
      : await withMasterPassword(password, () => request(UpdateConfirmedConnectorDocument, change));
  const { userErrors } = connectorUpdate;
  if (userErrors.some(({ code }) => code === 'CREDENTIALS_NEED_CONFIRMATION')) needsPassword();
  throwConnectorErrors(userErrors, requestData);
  return connector.databaseId;
}

/** Title, credentials and settings of a connector, with a test of what is entered. */
export function ConnectorForm({ invoker, connector, onSaved, onTested }: ConnectorFormProps) {
  const [needsPassword, setNeedsPassword] = useState(false);
  const { button, result } = useCheck(
    (values) => ({
      ...settingsOf(values),
      invokerName: invoker.name,
      id: connector === null ? null : String(connector.databaseId),
      requestData: changedFields(values, invoker, connector),
    }),
    onTested,
  );
  const canSave = connector === null ? true : connector.viewerCan.update;
  const canTest =
    connector === null ? hasPermission.value('CONNECTOR:CREATE') : connector.viewerCan.update;
  const submit = async (values: FormData): Promise<void> => {
    const id = await save(values, { invoker, connector }, () => setNeedsPassword(true));
    setNeedsPassword(false);
    if (id !== null) await onSaved(id);
  };
  const computed = invoker.requiredData.filter(
    ({ visibility }) => visibility === InvokerFieldVisibility.Private,
  );
  return (
    <Form
      label="Connector"
      submitText={connector === null ? 'Create connector' : 'Save connector'}
      submit={submit}
      isReadOnly={!canSave}
      buttons={canTest ? button : null}
      status={result}
    >
      <TextField
        label="Title"
        name="title"
        value={connector?.title}
        maxLength={255}
        isRequired
        isFocused={connector === null}
      />
      <TextAreaField
        label="Description"
        name="description"
        value={connector?.description ?? ''}
        rows={1}
      />
      <fieldset class="field-set">
        <legend>Address and credentials</legend>
        {invoker.hint === null ? null : (
          <p class="quiet wide-field">
            <bdi>{invoker.hint}</bdi>
          </p>
        )}
        {enteredFields(invoker).map((field) => (
          <CredentialField key={field.name} field={field} connector={connector} />
        ))}
        {computed.length === 0 ? null : (
          <p class="quiet wide-field">
            Computed from the others: {computed.map(({ name }) => name).join(', ')}.
          </p>
        )}
      </fieldset>
      <fieldset class="field-set columns">
        <legend>Calls</legend>
        <TextField
          label="Timeout, seconds"
          name="timeout"
          value={String((connector?.timeout ?? 0) / 1_000)}
          isNumber
          hint="0: the timeout of the service."
        />
        <CheckField
          label="Validate certificates"
          name="validatesCertificates"
          isChecked={!(connector?.sslCert ?? false)}
        />
        <CheckField
          label="Keep cookies during a run"
          name="keepCookies"
          isChecked={connector?.keepCookies ?? false}
        />
      </fieldset>
      {needsPassword ? (
        <TextField
          label="Master password"
          name="masterPassword"
          isPassword
          hint="Or enter the hidden values again. The address changed, so the saved values are not sent there without confirmation."
        />
      ) : null}
    </Form>
  );
}
