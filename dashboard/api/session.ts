import { signal } from '@preact/signals';
import { session } from '../../src/pages/public/session.js';

export type SignedIn = 'signed-in' | 'signed-out' | 'ended';

/** Whether the user is signed in. The session is shared by all pages of this browser tab. */
export const signedIn = signal<SignedIn>(session.state as SignedIn);
session.watch(({ state }: { state: string }) => {
  signedIn.value = state as SignedIn;
});

/** The second step of a login; `secretKey` and `qr` for a user who must set up an app first. */
export interface LoginChallenge {
  readonly sessionId: string;
  readonly secretKey?: string;
  readonly qr?: string;
}

/** The codes of an app that was just set up. `enter` signs in once they were read. */
export interface NewRecoveryCodes {
  readonly recoveryCodes: readonly string[];
  readonly enter: () => void;
}

export const signIn = (email: string, password: string): Promise<LoginChallenge | null> =>
  session.signIn(email, password) as Promise<LoginChallenge | null>;
export const confirmSignIn = (
  challenge: LoginChallenge,
  code: string,
): Promise<NewRecoveryCodes | null> => session.confirm(challenge, code);
export const signOut = (): Promise<void> => session.signOut();

/** `Bearer ...`, or null if signed out. */
export const authorization = (): string | null => session.authorization as string | null;

/** Ends the session when the service no longer accepts the token. */
export const endSession = (token: string | null): void => {
  if (token !== null) session.end(token);
};

export { addressOf, basePath, socketAddressOf } from '../../src/pages/public/base.js';
