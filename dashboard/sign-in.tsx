import { useEffect, useState } from 'preact/hooks';
import { addressOf, signedIn, signIn } from './api/session';
import { Button } from './parts/button';

/** Shown instead of every page until the user signs in. */
export function SignIn() {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Hypha';
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const valueOf = (name: string): string =>
      (form.elements.namedItem(name) as HTMLInputElement).value;
    if (isBusy) return;
    setIsBusy(true);
    setError(null);
    try {
      await signIn(valueOf('email'), valueOf('password'));
    } catch (reason) {
      setError(
        reason instanceof TypeError ? 'Could not reach the service.' : (reason as Error).message,
      );
      setIsBusy(false);
    }
  };
  return (
    <main class="sign-in">
      <form class="card sign-in-form" onSubmit={(event) => void submit(event)}>
        <img src={addressOf('assets/icon.svg')} alt="" width={44} height={44} />
        <h1>Hypha</h1>
        <p class="quiet">
          {signedIn.value === 'ended'
            ? 'Your session has ended. Sign in again.'
            : 'Sign in to continue.'}
        </p>
        <label>
          E-mail
          <input name="email" type="email" autocomplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autocomplete="current-password" required />
        </label>
        <p class="problem" role="alert">
          {error}
        </p>
        <Button type="submit" class="button primary" isDisabled={isBusy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
