import { z } from 'zod';
import { operate } from './operate';
import { messageOf, print, printable, printTable, refuse } from './output';
import { ConfigError, loadProcessConfig } from '../config/load';
import { EXIT } from '../platform/exit-codes';

export interface NewTokenInput {
  readonly email: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly days?: number;
}

const LISTED = z.array(
  z.object({
    id: z.number(),
    owner: z.string().nullable(),
    name: z.string(),
    prefix: z.string(),
    scopes: z.array(z.string()),
    expiresAt: z.coerce.date(),
    lastUsedAt: z.coerce.date().nullable(),
    lastAddress: z.string().nullable(),
  }),
);

/** `hypha token list`. Returns the exit code. */
export const listTokens = (json: boolean): Promise<number> =>
  tokenCommand('token list', 'The tokens were not listed', {}, (result) => {
    const tokens = LISTED.parse(result.tokens);
    if (json) print(JSON.stringify(tokens, null, 2));
    else
      printTable([
        ['id', 'owner', 'name', 'token', 'expires', 'last used', 'scopes'],
        ...tokens.map(({ id, owner, name, prefix, scopes, expiresAt, lastUsedAt }) => [
          String(id),
          owner ?? '-',
          name,
          `${prefix}…`,
          expiresAt.toISOString(),
          lastUsedAt?.toISOString() ?? 'never',
          scopes.join(' '),
        ]),
      ]);
  });

/** `hypha token create`. Prints the token. Returns the exit code. */
export const createToken = ({ email, name, scopes, days }: NewTokenInput): Promise<number> =>
  tokenCommand(
    'token create',
    'The token was not created',
    { email, name, scopes, days },
    ({ id, owner, token, expiresAt }) => {
      print(
        `created: token ${String(id)} of ${String(owner)}, expires ${new Date(String(expiresAt)).toISOString()}`,
      );
      print(`token: ${String(token)}`);
    },
  );

/** `hypha token revoke`. Returns the exit code. */
export const revokeToken = (id: number): Promise<number> =>
  tokenCommand('token revoke', 'The token was not revoked', { id }, ({ name, owner }) =>
    print(`revoked: token ${id} (${printable(String(name))} of ${String(owner)})`),
  );

/** `hypha user reset-2fa`. Returns the exit code. */
export const resetSecondFactor = (email: string): Promise<number> =>
  tokenCommand(
    'user reset-2fa',
    'The second factor was not removed',
    { email },
    ({ id, email: stored, before }) =>
      print(
        before === 'OFF'
          ? `unchanged: ${String(stored)} (id ${String(id)}) has no second factor`
          : `removed: the second factor of ${String(stored)} (id ${String(id)})`,
      ),
  );

async function tokenCommand(
  command: string,
  failure: string,
  input: object,
  show: (result: Readonly<Record<string, unknown>>) => void,
): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    const answer = await operate(config, command, input);
    if (!answer.done) {
      const problems = answer.problems.map((problem) => `\n  ${problem}`).join('');
      return refuse(EXIT.failed, `${failure}: ${answer.message}${problems}`);
    }
    show(answer.result);
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `${failure}: ${messageOf(error)}`);
  }
}
