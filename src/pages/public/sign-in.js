/**
 * The form in the bar. Signs in over REST; the token stays in the memory of this page.
 * `onToken` gets `Bearer ...` after a sign-in, and null after a sign-out.
 */
export function mountSignIn(onToken) {
  const form = document.getElementById('sign-in');
  const button = form.querySelector('button');
  const output = form.querySelector('output');
  let authorization = null;

  const show = (state, text) => {
    form.dataset.state = state;
    output.dataset.state = state;
    output.textContent = text;
    button.textContent = state === 'signed-in' ? 'Sign out' : 'Sign in';
  };

  async function signIn() {
    const { email, password } = Object.fromEntries(new FormData(form));
    const response = await fetch('/api/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const body = await response.json().catch(() => ({}));
    if (!response.ok) throw new Error(typeof body.error === 'string' ? body.error : `The sign-in answered ${response.status}.`);
    authorization = response.headers.get('Authorization');
    if (!authorization) throw new Error('The sign-in answered without a token.');
    form.elements.password.value = '';
    onToken(authorization);
    show('signed-in', body.email ?? email);
  }

  async function signOut() {
    await fetch('/api/auth/logout', { method: 'POST', headers: { Authorization: authorization } });
    authorization = null;
    onToken(null);
    show('signed-out', '');
  }

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await (authorization ? signOut() : signIn());
    } catch (error) {
      show('failed', error.message);
    } finally {
      button.disabled = false;
    }
  });
  // A browser must not ask for e-mail and password in order to sign out.
  button.addEventListener('click', () => { form.noValidate = authorization !== null; });
}
