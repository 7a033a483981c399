import { postJson } from './base.js';

const form = document.getElementById('forgot-password');
const status = form.querySelector('[role=status]');
const button = form.querySelector('button');

const SENT =
  'If there is an account with this address, a mail with a link is on its way. The link is valid for an hour.';

/** Returns what is shown: the same whether there is such a user or not. */
async function ask(email) {
  const response = await postJson('api/auth/forgot-password', { email });
  if (response.ok) return SENT;
  const { error } = await response.json().catch(() => ({}));
  return error ?? `The service answered ${response.status}.`;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  button.disabled = true;
  status.textContent = '';
  try {
    status.textContent = await ask(new FormData(form).get('email').trim());
  } catch {
    status.textContent = 'The service could not be reached. Try again.';
  } finally {
    button.disabled = false;
  }
});
