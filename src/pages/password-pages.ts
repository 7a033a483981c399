import { renderPage } from './html';

const STYLES = ['/assets/page.css', '/assets/set-password.css'];

/** The page of the link in a mail. Its script reads the token from the address. */
export const renderSetPasswordPage = (prefix: string): string =>
  renderPage({
    prefix,
    title: 'Set a new password',
    styles: STYLES,
    module: '/assets/set-password.js',
    body: `<body class="set-password">
<main>
  <h1>Set a new password</h1>
  <form id="set-password">
    <label>New password
      <input name="newPassword" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
    <label>Repeat the password
      <input name="confirmPassword" type="password" autocomplete="new-password" minlength="8" maxlength="128" required></label>
    <button type="submit">Set password</button>
    <p role="status" aria-live="polite"></p>
  </form>
  <nav aria-label="Other pages"><a href="${prefix}/dashboard">Sign in</a> <a href="${prefix}/forgot-password">Ask for a new link</a></nav>
  <noscript>This page needs JavaScript.</noscript>
</main>
</body>`,
  });

const FORM = `<p>Enter your e-mail address. You get a mail with a link to set a new password.</p>
  <form id="forgot-password">
    <label>E-mail
      <input name="email" type="text" inputmode="email" autocomplete="username" maxlength="254" required></label>
    <button type="submit">Send link</button>
    <p role="status" aria-live="polite"></p>
  </form>
  <p class="quiet">The password of a directory account is changed in the directory.</p>
  <noscript>This page needs JavaScript.</noscript>`;
const NO_MAIL =
  '<p>This service sends no mails. Ask an administrator to set a new password for you.</p>';

/** Asks for the address to which a link is mailed. @param sendsLinks whether mail is configured */
export const renderForgotPasswordPage = (prefix: string, sendsLinks: boolean): string =>
  renderPage({
    prefix,
    title: 'Forgot password',
    styles: STYLES,
    ...(sendsLinks && { module: '/assets/forgot-password.js' }),
    body: `<body class="set-password">
<main>
  <h1>Forgot password?</h1>
  ${sendsLinks ? FORM : NO_MAIL}
  <nav aria-label="Other pages"><a href="${prefix}/dashboard">Sign in</a></nav>
</main>
</body>`,
  });
