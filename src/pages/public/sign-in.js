import { session } from './session.js';

const BUTTONS = { 'signed-in': 'Sign out' };
const ENDED = 'Your session has ended. Sign in again.';

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
  // Signing out must not require e-mail and password.
  button.addEventListener('click', () => {
    form.noValidate = session.state === 'signed-in';
  });
  session.watch(({ state, email }) => show(state, state === 'ended' ? ENDED : (email ?? '')));
}
