import { useEffect, useState } from 'preact/hooks';
import { addressOf, signedIn, signIn } from './api/session';
import { Button } from './parts/button';

/** Shown instead of every page until the user signs in. */
export function SignIn() {
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Hypha';
  }, []);
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const typed = (name: string): string =>
      (form.elements.namedItem(name) as HTMLInputElement).value;
    if (busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await signIn(typed('email'), typed('password'));
    } catch (error) {
      setProblem(
        error instanceof TypeError ? 'Could not reach the service.' : (error as Error).message,
      );
      setBusy(false);
    }
  };
  return (
    <main class="gate">
      <form class="card gate-form" onSubmit={(event) => void submit(event)}>
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
          {problem}
        </p>
        <Button type="submit" class="button primary" off={busy}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
