import { z } from 'zod';
import { controlCommand } from '../../platform/control/command';
import type { ControlCommand } from '../../platform/control/command';
import type { UserRecords } from '../users/user-records';
import { requireEnabled } from '../users/user.service';
import type { ApiTokenService } from './api-token.service';

/** Operator commands for API tokens, run on the machine of the service. */
export const createApiTokenCommands = (
  apiTokens: ApiTokenService,
  users: UserRecords,
): readonly ControlCommand[] => [
  controlCommand('token list', z.object({}), async () => {
    const tokens = await apiTokens.all();
    const owners = await users.byIds(tokens.map(({ userId }) => userId));
    return {
      tokens: tokens.map(({ userId: _userId, createdAt: _createdAt, ...token }, at) => ({
        owner: owners[at]?.email ?? null,
        ...token,
      })),
    };
  }),

  controlCommand(
    'token create',
    z.object({
      email: z.string(),
      name: z.string(),
      scopes: z.array(z.string()),
      days: z.number().optional(),
    }),
    async (actor, { email, name, scopes, days }) => {
      const owner = await users.getByEmail(email);
      requireEnabled(owner, ['email']);
      const input = { name, scopes, expiresInDays: days };
      const { apiToken, token } = await apiTokens.createFor(actor, owner.id, input);
      return { id: apiToken.id, owner: owner.email, expiresAt: apiToken.expiresAt, token };
    },
    ({ email, name }) => `${name} of ${email}`,
  ),

  controlCommand(
    'token revoke',
    z.object({ id: z.number() }),
    async (actor, { id }) => {
      const { name, userId } = await apiTokens.revoke(actor, id);
      return { id, name, owner: (await users.byId(userId))?.email ?? null };
    },
    ({ id }) => String(id),
  ),
];
