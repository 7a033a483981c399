import { z } from 'zod';
import type { Need } from '../access/need';
import type { ErrorCode } from '../errors/codes';
import { Refused } from '../errors/errors';
import type { Endpoint, Route, routesTagged } from './route';

/** An endpoint and what a client offers to do there. */
type Operation = readonly [Endpoint, string];

/** Returns routes that clients call, and that are always refused for the same reason. */
export const refusedRoutes = (
  route: ReturnType<typeof routesTagged>,
  operations: readonly Operation[],
  {
    needs,
    description,
    code,
    message,
  }: {
    readonly needs: Need;
    readonly description: string;
    readonly code: ErrorCode;
    readonly message: string;
  },
): Route[] =>
  operations.map(([endpoint, summary]) => {
    const names = [...endpoint.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
    return route(endpoint, {
      needs,
      summary: `${summary}: always refused`,
      description,
      ...(names.length > 0 && {
        params: z.object(Object.fromEntries(names.map((name) => [name, z.string()]))),
      }),
      success: 204,
      errors: [code],
      handle: () => Promise.reject(new Refused(code, message)),
    });
  });
