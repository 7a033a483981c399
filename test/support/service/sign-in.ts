import type { Origin, Services } from '../../../src/platform/context';

/** Signs in with the service instead of over HTTP, and returns the token. */
export async function signIn(
  { login }: Services,
  email: string,
  password: string,
  origin: Origin,
): Promise<string> {
  const result = await login.login({ email, password }, origin);
  if ('challengeId' in result) throw new Error(`${email} has a second factor.`);
  return result.token;
}
