import { session } from './session.js';

const BUTTONS = { 'signed-in': 'Sign out' };
const ENDED = 'Your session has ended. Sign in again.';
const SET_UP = 'Set up your second factor first: sign in to the dashboard.';

export function mountSignIn() {
  const form = document.getElementById('sign-in');
  const button = form.querySelector('button');
  const output = form.querySelector('output');

  const show = (state, text) => {
    form.dataset.state = state;
    output.dataset.state = state;
    output.textContent = text;
    output.title = text;
    button.textContent = BUTTONS[state] ?? 'Sign in';
  };

  /** The login that waits for a code, or null. */
  let challenge = null;
  const askForCode = (next) => {
    challenge = next;
    const { code, email, password } = form.elements;
    code.value = '';
    // A browser does not submit a form with an empty input that is required, even if it is hidden.
    const enable = (input, isEnabled) => {
      input.hidden = !isEnabled;
      input.required = isEnabled;
    };
    enable(code, Boolean(next));
    enable(email, !next);
    enable(password, !next);
    if (next) code.focus();
  };

  async function act() {
    if (session.state === 'signed-in') return session.signOut();
    const { email, password, code } = Object.fromEntries(new FormData(form));
    if (challenge) {
      const { sessionId } = challenge;
      await session.confirm({ sessionId }, code);
      return askForCode(null);
    }
    const next = await session.signIn(email, password);
    form.elements.password.value = '';
    if (next?.qr) throw new Error(SET_UP);
    if (next) {
      show('code', 'Enter the code of your authenticator app.');
      askForCode(next);
    }
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      show('failed', error.message);
      // A login accepts a few codes only; then the password is asked again.
      if (challenge && /password/.test(error.message)) askForCode(null);
    } finally {
      button.disabled = false;
    }
  });
  // Signing out must not require e-mail and password.
  button.addEventListener('click', () => {
    form.noValidate = session.state === 'signed-in';
  });
  const TEXTS = { ended: () => ENDED, 'signed-in': (email) => `Signed in as ${email}` };
  session.watch(({ state, email }) => show(state, TEXTS[state]?.(email) ?? ''));
}
