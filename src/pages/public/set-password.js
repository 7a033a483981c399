import { postJson } from './base.js';

/** Read once, then removed from the address, so that neither history nor a screenshot shows it. */
const token = new URLSearchParams(location.search).get('token') ?? '';
history.replaceState(null, '', location.pathname);

const form = document.getElementById('set-password');
const status = form.querySelector('[role=status]');
const button = form.querySelector('button');

const INVALID = 'This link was used or has expired. Ask for a new one.';
const DIFFERENT = 'The two passwords differ.';

/** Returns what went wrong, or null if the password was set. */
async function setPassword(newPassword, confirmPassword) {
  const response = await postJson('api/auth/reset-password', {
    token,
    newPassword,
    confirmPassword,
  });
  if (response.ok) return null;
  const { message, error } = await response.json().catch(() => ({}));
  return message === 'INVALID_TOKEN'
    ? INVALID
    : (error ?? `The service answered ${response.status}.`);
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const { newPassword, confirmPassword } = Object.fromEntries(new FormData(form));
  if (newPassword !== confirmPassword) {
    status.textContent = DIFFERENT;
    return;
  }
  button.disabled = true;
  status.textContent = '';
  try {
    const problem = await setPassword(newPassword, confirmPassword);
    status.textContent = problem ?? 'The password was set. Sign in with it.';
    if (problem === null) form.reset();
    button.disabled = problem === null;
  } catch {
    status.textContent = 'The service could not be reached. Try again.';
    button.disabled = false;
  }
});

if (token === '') {
  status.textContent = INVALID;
  button.disabled = true;
}
