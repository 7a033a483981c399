import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { addressOf, confirmSignIn, signedIn, signIn } from './api/session';
import type { LoginChallenge, NewRecoveryCodes } from './api/session';
import { pageTitle } from './failure-badge';
import { Button } from './parts/button';
import { AppKey, RecoveryCodeList } from './parts/second-factor';
import type { AppKeyProps } from './parts/second-factor';

type Values = (name: string) => string;

/** Shown instead of every page until the user signs in. */
export function SignIn() {
  const [challenge, setChallenge] = useState<LoginChallenge | null>(null);
  const [codes, setCodes] = useState<NewRecoveryCodes | null>(null);
  useEffect(() => {
    pageTitle.value = 'Sign in';
  }, []);
  if (codes) return <RecoveryCodes {...codes} />;
  if (challenge)
    return (
      <CodeForm
        challenge={challenge}
        onRecoveryCodes={setCodes}
        onCancel={() => setChallenge(null)}
      />
    );
  return <PasswordForm onChallenge={setChallenge} />;
}

function PasswordForm({ onChallenge }: { onChallenge: (challenge: LoginChallenge) => void }) {
  const submit = async (valueOf: Values): Promise<void> => {
    const challenge = await signIn(valueOf('email'), valueOf('password'));
    if (challenge) onChallenge(challenge);
  };
  return (
    <SignInForm label="Sign in" submit={submit}>
      <p class="quiet">
        {signedIn.value === 'ended'
          ? 'Your session has ended. Sign in again.'
          : 'Sign in to continue.'}
      </p>
      <label>
        E-mail
        <input name="email" type="text" inputmode="email" autocomplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <a href={addressOf('forgot-password')}>Forgot password?</a>
    </SignInForm>
  );
}

function CodeForm({
  challenge,
  onRecoveryCodes,
  onCancel,
}: {
  challenge: LoginChallenge;
  onRecoveryCodes: (codes: NewRecoveryCodes) => void;
  onCancel: () => void;
}) {
  const submit = async (valueOf: Values): Promise<void> => {
    const codes = await confirmSignIn(challenge, valueOf('code'));
    if (codes) onRecoveryCodes(codes);
  };
  return (
    <SignInForm label="Confirm" submit={submit}>
      {challenge.qr !== undefined && (
        <Enrolment secretKey={challenge.secretKey ?? ''} qr={challenge.qr} />
      )}
      <label>
        Code
        <input
          name="code"
          type="text"
          inputmode="numeric"
          autocomplete="one-time-code"
          required
          autofocus
        />
      </label>
      <p class="quiet">Six digits of your authenticator app, or a recovery code.</p>
      <Button class="button" onClick={onCancel}>
        Back
      </Button>
    </SignInForm>
  );
}

function Enrolment(key: AppKeyProps) {
  return (
    <>
      <p>You need a second factor. Scan this code with an authenticator app, or enter the key.</p>
      <AppKey {...key} />
    </>
  );
}

function RecoveryCodes({ recoveryCodes, enter }: NewRecoveryCodes) {
  return (
    <SignInForm
      label="Continue"
      submit={() => {
        enter();
        return Promise.resolve();
      }}
    >
      <RecoveryCodeList codes={recoveryCodes} />
    </SignInForm>
  );
}

/** The card of all steps. `submit` gets the values of the inputs by name; its errors are shown. */
function SignInForm({
  label,
  submit,
  children,
}: {
  label: string;
  submit: (valueOf: Values) => Promise<void>;
  children: ComponentChildren;
}) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const onSubmit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await submit((name) => (form.elements.namedItem(name) as HTMLInputElement).value);
    } catch (reason) {
      setError(
        reason instanceof TypeError ? 'Could not reach the service.' : (reason as Error).message,
      );
    }
    setIsBusy(false);
  };
  return (
    <main class="sign-in-page">
      <form class="card sign-in-form" onSubmit={(event) => void onSubmit(event)}>
        <img src={addressOf('assets/icon.svg')} alt="" width={44} height={44} />
        <h1>Hypha</h1>
        {children}
        <p class="problem" role="alert">
          {error}
        </p>
        <Button type="submit" class="button primary" isDisabled={isBusy}>
          {label}
        </Button>
      </form>
    </main>
  );
}
