import { session } from './session.js';

const BUTTONS = { 'signed-in': 'Sign out' };
const ENDED = 'Your session has ended. Sign in again.';

/** The form in the bar. */
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

  async function act() {
    if (session.state === 'signed-in') return session.signOut();
    const { email, password } = Object.fromEntries(new FormData(form));
    await session.signIn(email, password);
    form.elements.password.value = '';
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      show('failed', error.message);
    } finally {
      button.disabled = false;
    }
  });
  // A browser must not ask for e-mail and password in order to sign out.
  button.addEventListener('click', () => {
    form.noValidate = session.state === 'signed-in';
  });
  session.watch(({ state, email }) => show(state, state === 'ended' ? ENDED : (email ?? '')));
}
