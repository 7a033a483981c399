import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from '../api/request';
import {
  BeginSecondFactorDocument,
  ConfirmSecondFactorDocument,
  DisableSecondFactorDocument,
  RenewRecoveryCodesDocument,
} from '../generated/operations';
import type { SecondFactorState } from '../generated/operations';
import { Button } from '../parts/button';
import { CodeField, enteredText, Form, TextField, textOf, throwUserErrors } from '../parts/form';
import { FormDialog } from '../parts/form-dialog';
import { notify } from '../parts/notices';
import { Card } from '../parts/page';
import { AppKey, RecoveryCodeList } from '../parts/second-factor';
import type { AppKeyProps } from '../parts/second-factor';

export const SECOND_FACTOR_TEXTS: Readonly<Record<SecondFactorState, string>> = {
  OFF: 'Off',
  PENDING: 'Required at the next login',
  ON: 'On',
};

/** The recovery codes, shown until the user confirms that they have stored them. */
function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const block = useRef<HTMLDivElement>(null);
  useEffect(() => block.current?.focus(), []);
  return (
    <div ref={block} tabIndex={-1} role="group" aria-label="Recovery codes">
      <RecoveryCodeList codes={codes} />
      <Button class="button primary" onClick={onDone}>
        I have stored the codes
      </Button>
    </div>
  );
}

function EnrolmentForm({
  enrolment,
  onCodes,
  onCancel,
}: {
  enrolment: AppKeyProps;
  onCodes: (codes: readonly string[]) => void;
  onCancel: () => void;
}) {
  const confirm = async (values: FormData): Promise<void> => {
    const { secondFactorConfirm } = await request(ConfirmSecondFactorDocument, {
      code: textOf(values, 'code'),
    });
    throwUserErrors(secondFactorConfirm.userErrors);
    onCodes(secondFactorConfirm.recoveryCodes ?? []);
  };
  return (
    <>
      <p>
        Scan this code with an authenticator app, or enter the key. Then enter a code of the app.
      </p>
      <AppKey {...enrolment} />
      <Form
        label="Set up second factor"
        submitText="Turn on"
        submit={confirm}
        buttons={
          <Button class="button" onClick={onCancel}>
            Cancel
          </Button>
        }
      >
        <CodeField isFocused />
      </Form>
    </>
  );
}

function SetUp({ onBegin }: { onBegin: (enrolment: AppKeyProps) => void }) {
  const begin = async (values: FormData): Promise<void> => {
    const { secondFactorBegin } = await request(BeginSecondFactorDocument, {
      password: enteredText(values, 'password'),
    });
    throwUserErrors(secondFactorBegin.userErrors);
    if (secondFactorBegin.enrolment) onBegin(secondFactorBegin.enrolment);
  };
  return (
    <FormDialog
      icon="lock"
      text="Set up"
      title="Set up a second factor"
      submitText="Continue"
      submit={begin}
    >
      <TextField
        label="Your password"
        name="password"
        isPassword
        autocomplete="current-password"
        isRequired
      />
    </FormDialog>
  );
}

/** New recovery codes and, unless the group needs a second factor, its removal. */
function Manage({
  isRequired,
  onCodes,
  onChange,
}: {
  isRequired: boolean;
  onCodes: (codes: readonly string[]) => void;
  onChange: () => void;
}) {
  const renew = async (values: FormData): Promise<void> => {
    const { recoveryCodesRenew } = await request(RenewRecoveryCodesDocument, {
      code: textOf(values, 'code'),
    });
    throwUserErrors(recoveryCodesRenew.userErrors);
    onCodes(recoveryCodesRenew.recoveryCodes ?? []);
  };
  const disable = async (values: FormData): Promise<void> => {
    const { secondFactorDisable } = await request(DisableSecondFactorDocument, {
      code: textOf(values, 'code'),
    });
    throwUserErrors(secondFactorDisable.userErrors);
    notify('The second factor was removed.');
    onChange();
  };
  return (
    <div class="form-buttons">
      <FormDialog icon="retry" text="New recovery codes" submitText="Replace codes" submit={renew}>
        <p>The present recovery codes stop working.</p>
        <CodeField />
      </FormDialog>
      {isRequired ? null : (
        <FormDialog
          icon="cross"
          text="Remove"
          title="Remove the second factor"
          submitText="Remove second factor"
          submit={disable}
        >
          <p>You then sign in with your password only.</p>
          <CodeField />
        </FormDialog>
      )}
    </div>
  );
}

/** Sets up, renews and removes the second factor of the signed-in user. */
export function SecondFactorCard({
  state,
  isRequired,
  onChange,
}: {
  state: SecondFactorState;
  /** Whether the group of the user needs a second factor. */
  isRequired: boolean;
  onChange: () => void;
}) {
  const [enrolment, setEnrolment] = useState<AppKeyProps | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const showCodes = (shown: readonly string[]): void => {
    setEnrolment(null);
    setCodes(shown);
    onChange();
  };
  const aside = <span class="tag">{SECOND_FACTOR_TEXTS[state]}</span>;
  return (
    <Card title="Second factor" aside={aside}>
      {codes !== null ? (
        <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
      ) : enrolment !== null ? (
        <EnrolmentForm
          enrolment={enrolment}
          onCodes={showCodes}
          onCancel={() => setEnrolment(null)}
        />
      ) : (
        <>
          <p class="quiet">
            An authenticator app shows the codes for your logins.
            {isRequired ? ' Members of your group need a second factor.' : ''}
          </p>
          {state === 'ON' ? (
            <Manage isRequired={isRequired} onCodes={showCodes} onChange={onChange} />
          ) : (
            <SetUp onBegin={setEnrolment} />
          )}
        </>
      )}
    </Card>
  );
}
