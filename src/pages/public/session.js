import { addressOf, basePath, postJson } from './base.js';

async function post(path, content) {
  const response = await postJson(path, content);
  const body = await response.json().catch(() => ({}));
  if (!response.ok)
    throw new Error(
      typeof body.error === 'string' ? body.error : `The sign-in answered ${response.status}.`,
    );
  return { body, authorization: response.headers.get('Authorization') };
}

/**
 * The session of all pages in this browser tab. It is kept in session storage, survives reloads and
 * navigation, and ends with the tab. States: `signed-out`, `signed-in`, and `ended` when the
 * service no longer accepts the token.
 */
class Session {
  /** Separate keys for services that share an origin. */
  #key = `hypha:session:${basePath}`;
  #listeners = new Set();
  #kept = this.#read();
  state = this.#kept ? 'signed-in' : 'signed-out';

  /** `Bearer ...`, or null. */
  get authorization() {
    return this.#kept?.authorization ?? null;
  }

  get email() {
    return this.#kept?.email ?? null;
  }

  /** Calls the listener now and after each sign-in or sign-out. */
  watch(listener) {
    this.#listeners.add(listener);
    listener(this);
  }

  /**
   * Signs in. Returns null, or the second step of a login: `sessionId`, and `secretKey` and `qr` for
   * a user who must set up an authenticator app first.
   */
  async signIn(email, password) {
    const { body, authorization } = await post('api/login', { email, password });
    if (typeof body.sessionId === 'string') return body;
    this.#enter(authorization, body.email ?? email);
    return null;
  }

  /**
   * Completes a login with a code. Returns null; or, once an app was set up, the new recovery codes
   * and a function that enters after they were read.
   */
  async confirm({ sessionId }, code) {
    const { body, authorization } = await post('api/totp-validate', { sessionId, code });
    const enter = () => this.#enter(authorization, body.email);
    if (body.recoveryCodes) return { recoveryCodes: body.recoveryCodes, enter };
    enter();
    return null;
  }

  /** Ends the session on the server and here, even if the server is unreachable. */
  async signOut() {
    const { authorization } = this;
    this.#become('signed-out', null);
    await fetch(addressOf('api/auth/logout'), {
      method: 'POST',
      headers: { Authorization: authorization },
    }).catch(() => undefined);
  }

  /**
   * Checks whether the service still accepts the token: after an error, and for a token of an
   * earlier page.
   */
  async check() {
    const { authorization } = this;
    if (!authorization) return;
    const response = await fetch(addressOf('graphql'), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/graphql-response+json',
        Authorization: authorization,
      },
      body: JSON.stringify({ query: '{ me { email } }' }),
    }).catch(() => null);
    if (response === null || response.status >= 500 || authorization !== this.authorization) return;
    const { data } = await response.json().catch(() => ({}));
    if (!data?.me) this.end(authorization);
  }

  /** Ends the session if the token is still the current one. */
  end(authorization) {
    if (authorization === this.authorization) this.#become('ended', null);
  }

  #enter(authorization, email) {
    if (!authorization) throw new Error('The sign-in answered without a token.');
    this.#become('signed-in', { authorization, email });
  }

  #become(state, kept) {
    this.state = state;
    this.#kept = kept;
    // Without session storage, the session lasts as long as the page.
    try {
      if (kept) sessionStorage.setItem(this.#key, JSON.stringify(kept));
      else sessionStorage.removeItem(this.#key);
    } catch {
      /* As said. */
    }
    for (const listener of this.#listeners) listener(this);
  }

  #read() {
    try {
      return JSON.parse(sessionStorage.getItem(this.#key));
    } catch {
      return null;
    }
  }
}

export const session = new Session();
void session.check();
