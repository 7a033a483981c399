import { z } from 'zod';
import { operatorCommand } from './operator-command';
import { print, printable, printTable } from './output';

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
  operatorCommand(
    'token list',
    'The tokens were not listed',
    () => ({}),
    (result) => {
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
    },
  );

/** `hypha token create`. Prints the token. Returns the exit code. */
export const createToken = ({ email, name, scopes, days }: NewTokenInput): Promise<number> =>
  operatorCommand(
    'token create',
    'The token was not created',
    () => ({ email, name, scopes, days }),
    ({ id, owner, token, expiresAt }) => {
      print(
        `created: token ${String(id)} of ${String(owner)}, expires ${new Date(String(expiresAt)).toISOString()}`,
      );
      print(`token: ${String(token)}`);
    },
  );

/** `hypha token revoke`. Returns the exit code. */
export const revokeToken = (id: number): Promise<number> =>
  operatorCommand(
    'token revoke',
    'The token was not revoked',
    () => ({ id }),
    ({ name, owner }) =>
      print(`revoked: token ${id} (${printable(String(name))} of ${String(owner)})`),
  );
