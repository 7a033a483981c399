import type { z } from 'zod';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../../config/config';
import type { Actor } from '../access/actor';
import { guard } from '../access/need';
import type { Authentication } from '../access/need';
import type { Authenticate, Origin } from '../context';
import { createLargeBodies } from '../large-inputs';
import type { LargeBodies } from '../large-inputs';
import type { Logger } from '../log/logger';
import type { ExpectedVersion } from '../store/records';
import { chooseRoute, RouteTable } from './route-table';
import { announceDeprecation, wantsDeprecatedGone, withoutDeprecated } from './deprecation';
import { MethodNotAllowed, sendAnswer } from './send';
import { bearerToken, createOriginReader } from './origin';
import { parsed, readRouteBody } from './read-request';
import { pathSegments, queryOf, requestUrl } from './request-url';
import { STALE_STATUS, takesIfMatch, versionsOfIfMatch } from './record-version';
import { Accepted, prefersAsync } from './respond-async';
import type { Route } from './route';
import { identifyRequest } from './user-requests';

interface RestOptions {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  readonly config: Config;
  readonly log: Logger;
  readonly largeBodies?: LargeBodies;
}

export interface RestApi {
  readonly routes: readonly Route[];
  /** Answers the routes below `/api`, and those that are also at the root; passes on all else. */
  readonly handle: RequestHandler;
}

/** The route of a request, as its URL and `X-Remove-Deprecated` select it. */
interface Chosen {
  readonly route: Route;
  readonly params: z.ZodSafeParseResult<unknown>;
  /** Deprecated operations act as if removed. */
  readonly gone: boolean;
  readonly search: string;
}

/** Returns the owner of the record that a request is about, if its parameters name it. */
function ownerOf(route: Route, params: unknown): number | undefined {
  if (route.owner) return route.owner(params);
  const id =
    params !== null && typeof params === 'object' && 'id' in params ? params.id : undefined;
  return typeof id === 'number' ? id : undefined;
}

/**
 * Returns the versions that a change accepts. `If-None-Match` is ignored: a record is shown to each
 * user as their permissions allow, with parts of other records, so that equal versions do not mean
 * equal bytes.
 */
function conditionOf(
  { record, statuses }: Route,
  request: Request,
  response: Response,
): ExpectedVersion {
  if (record === undefined) return undefined;
  delete request.headers['if-none-match'];
  if (!takesIfMatch({ record })) return undefined;
  const expected = versionsOfIfMatch(request.headers);
  if (expected !== undefined) response.locals.statuses = { ...statuses, CONFLICT: STALE_STATUS };
  return expected;
}

function present(actor: Actor | null): Actor {
  if (!actor) throw new Error('A public route has no actor for sure: it reads maybeActor.');
  return actor;
}

/** The status of a success, unless its `Reply` has its own. */
function statusOf({ success }: Route, result: unknown): number {
  if (result instanceof Accepted) return 202;
  return success === '2XX' ? 200 : success;
}

/** @throws Error a route without a need, or two routes for one method and path */
export function createRestApi({
  routes,
  authenticate,
  config,
  log,
  largeBodies = createLargeBodies(),
}: RestOptions): RestApi {
  const tables = {
    whole: new RouteTable(routes),
    withoutDeprecated: new RouteTable(withoutDeprecated(routes)),
  };
  const originOf = createOriginReader(config);

  /** A public operation works even if the token that came with the request cannot be checked. */
  const authenticateFor = async (
    route: Route,
    request: Request,
    origin: Origin,
  ): Promise<Authentication> => {
    const token = bearerToken(request.headers);
    const use = request.method === 'HEAD' ? 'event' : 'operation';
    if (route.needs !== 'public') return authenticate(token, origin, use);
    if (token === undefined) return { state: 'anonymous' };
    try {
      return await authenticate(token, origin, use);
    } catch (error) {
      log.warn(
        { err: error, requestId: origin.requestId },
        'a token was not read for a public operation',
      );
      return { state: 'anonymous' };
    }
  };

  const run = async (
    { route, params, gone, search }: Chosen,
    request: Request,
    response: Response,
  ): Promise<void> => {
    const origin = originOf(request);
    response.locals.statuses = route.statuses;
    response.locals.probe = route.probe;
    if (route.method === 'patch' && route.consumes !== undefined)
      response.set('Accept-Patch', route.consumes);
    announceDeprecation(
      route,
      response,
      params.success ? (params.data as object) : {},
      origin.baseUrl,
    );
    const authentication = await authenticateFor(route, request, origin);
    if (authentication.state === 'signed-in')
      await identifyRequest(response, authentication.actor.userId);
    const actor = guard(
      route.needs,
      authentication,
      params.success ? ownerOf(route, params.data) : undefined,
    );
    const values = parsed(params, 'path');
    const rawQuery = queryOf(search);
    const query = route.query ? parsed(route.query.safeParse(rawQuery), 'query') : rawQuery;
    const expectedVersion = conditionOf(route, request, response);
    await route.admit?.(values, origin);
    if (request.method === 'HEAD' && route.headOnlyAdmits === true)
      return void response.status(200).end();
    using share = (route.needs === 'public' ? largeBodies.open : largeBodies.signedIn).share();
    const { body, sent, file } = await readRouteBody(route, request, config.limits, share);
    if (body instanceof Object)
      announceDeprecation(route, response, { ...(params.data as object), ...body }, origin.baseUrl);
    // From here on, the paths in errors are those of the services and are translated to those of
    // the request.
    response.locals.sentAs = route.sentAs;
    const result = await route.handle({
      get actor() {
        return present(actor);
      },
      maybeActor: actor,
      params: values,
      query,
      body,
      sent,
      file,
      origin,
      expectedVersion,
      withoutDeprecated: gone,
      respondAsync: route.mayRespondAsync === true && prefersAsync(request.headers),
    });
    // Released before sending, which takes as long as the client reads.
    share[Symbol.dispose]();
    if (route.produces !== undefined && !route.produces.includes('*'))
      response.type(route.produces);
    await sendAnswer(request, response, statusOf(route, result), result);
  };

  const handle: RequestHandler = async (request, response, next) => {
    const { path, search } = requestUrl(request.originalUrl);
    const segments = pathSegments(path);
    const gone = wantsDeprecatedGone(request.headers);
    const choice = chooseRoute(
      gone ? tables.withoutDeprecated : tables.whole,
      request.method,
      segments,
    );
    if (choice.kind === 'route') return run({ ...choice, gone, search }, request, response);
    if (choice.kind === 'unknown') return next();
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(choice.allow);
    response.set('Allow', choice.allow.join(', ')).status(204).end();
  };

  return { routes, handle };
}
