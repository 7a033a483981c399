import { signal } from '@preact/signals';
import { session } from '../../src/pages/public/session.js';

export type SignedIn = 'signed-in' | 'signed-out' | 'ended';

/** Whether the user is signed in. The session is shared by all pages of this browser tab. */
export const signedIn = signal<SignedIn>(session.state as SignedIn);
session.watch(({ state }: { state: string }) => {
  signedIn.value = state as SignedIn;
});

export const signIn = (email: string, password: string): Promise<void> =>
  session.signIn(email, password);
export const signOut = (): Promise<void> => session.signOut();

/** `Bearer ...`, or null if signed out. */
export const authorization = (): string | null => session.authorization as string | null;

/** Ends the session when the service no longer accepts the token. */
export const endSession = (token: string | null): void => {
  if (token !== null) session.end(token);
};

export { addressOf, basePath, socketAddressOf } from '../../src/pages/public/base.js';
