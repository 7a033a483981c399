import type { z } from 'zod';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../../config/config';
import type { Actor } from '../access/actor';
import { guard } from '../access/need';
import type { Authentication } from '../access/need';
import type { Authenticate, Origin } from '../context';
import { StorageFull } from '../errors/errors';
import { LargeInputs } from '../large-inputs';
import type { Logger } from '../log/logger';
import type { StorageState } from '../store/full-disk';
import type { ExpectedVersion } from '../store/records';
import { chooseRoute, RouteTable } from './route-table';
import { announceDeprecation, wantsDeprecatedRemoved, withoutDeprecated } from './deprecation';
import { MethodNotAllowed, sendAnswer } from './send';
import { bearerToken, createOriginReader } from './origin';
import type { OriginReader } from './origin';
import { parsed, readRouteBody } from './body/route-body';
import { pathSegments, queryOf, requestUrl } from './request-url';
import { STALE_STATUS, takesIfMatch, versionsOfIfMatch } from './record-version';
import { Accepted, prefersAsync } from './respond-async';
import type { Route } from './route';
import { CLIENT_HEADERS, clientOf } from './dialects/released-client';
import type { Audience } from './dialects/released-client';
import { documentedRequests } from './dialects/request-dialect';
import type { RequestDialect } from './dialects/request-dialect';
import { identifyRequest } from './user-requests';

const UP_TO_DATE = (): Promise<void> => Promise.resolve();

interface RestOptions {
  readonly routes: readonly Route[];
  readonly authenticate: Authenticate;
  /** See `Store.catchUp`. `authenticate` includes it for operations. */
  readonly catchUp?: () => Promise<void>;
  readonly config: Config;
  readonly log: Logger;
  readonly largeInputs?: LargeInputs;
  /** The path before `/api` and the root. Default: empty. */
  readonly mount?: string;
  readonly storage?: StorageState;
  /** Default: that of the documented dialect. */
  readonly requests?: Pick<RequestDialect, 'hasFieldsInQuery'>;
}

/** The route of a request, as its URL and `X-Remove-Deprecated` select it. */
interface ChosenRoute {
  readonly route: Route;
  readonly params: z.ZodSafeParseResult<unknown>;
  /** Deprecated operations act as if removed. */
  readonly isDeprecatedRemoved: boolean;
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

function requireActor(actor: Actor | null): Actor {
  if (!actor) throw new Error('A public route has no actor for sure: it reads maybeActor.');
  return actor;
}

/** Name of a route in metrics and spans: `GET /user/:id`. */
const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

const isServedOnFullDisk = ({ method, changesOnGet, servedOnFullDisk }: Route): boolean =>
  servedOnFullDisk ?? (method === 'delete' || (method === 'get' && !changesOnGet));

/** The status of a success, unless its `Reply` has its own. */
function statusOf({ success }: Route, result: unknown): number {
  if (result instanceof Accepted) return 202;
  return success === '2XX' ? 200 : success;
}

const audienceOf = (request: Request, response: Response, { baseUrl }: Origin): Audience => ({
  baseUrl,
  client: () => {
    response.vary(CLIENT_HEADERS);
    return clientOf(request.headers);
  },
});

/** The routes of the REST API as an Express handler. */
export class RestApi {
  readonly routes: readonly Route[];
  private readonly allRoutes: RouteTable;
  private readonly currentRoutes: RouteTable;
  private readonly originOf: OriginReader;
  private readonly largeInputs: LargeInputs;
  private readonly requests: Pick<RequestDialect, 'hasFieldsInQuery'>;

  /** @throws Error a route without a need, or two routes for one method and path */
  constructor(private readonly options: RestOptions) {
    this.routes = options.routes;
    this.allRoutes = new RouteTable(options.routes);
    this.currentRoutes = new RouteTable(withoutDeprecated(options.routes));
    this.originOf = createOriginReader(options.config);
    this.requests = options.requests ?? documentedRequests;
    this.largeInputs = options.largeInputs ?? new LargeInputs();
  }

  /** Answers the routes below `/api`, and those that are also at the root; passes on all else. */
  readonly handle: RequestHandler = async (request, response, next) => {
    const { path, search } = requestUrl(request.originalUrl);
    const { mount = '' } = this.options;
    const segments = pathSegments(path.slice(mount.length));
    const isDeprecatedRemoved = wantsDeprecatedRemoved(request.headers);
    const table = isDeprecatedRemoved ? this.currentRoutes : this.allRoutes;
    const choice = chooseRoute(table, request.method, segments);
    if (choice.kind === 'route')
      return this.run({ ...choice, isDeprecatedRemoved, search }, request, response);
    if (choice.kind === 'unknown') return next();
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(choice.allow);
    response.set('Allow', choice.allow.join(', ')).status(204).end();
  };

  private async run(chosen: ChosenRoute, request: Request, response: Response): Promise<void> {
    const { route, params } = chosen;
    const origin = this.mounted(this.originOf(request));
    response.locals.statuses = route.statuses;
    response.locals.probe = route.probe;
    response.locals.api = 'rest';
    response.locals.operation = nameOf(route);
    if (route.method === 'patch' && route.consumes !== undefined)
      response.set('Accept-Patch', route.consumes);
    announceDeprecation(
      route,
      response,
      params.success ? (params.data as object) : {},
      origin.baseUrl,
    );
    const authentication = await this.authenticateFor(route, request, origin);
    if (authentication.state === 'signed-in')
      await identifyRequest(response, authentication.actor.userId);
    const owner = params.success ? ownerOf(route, params.data) : undefined;
    const actor = guard(route.needs, authentication, owner);
    this.requireSpace(route);
    const values = parsed(params, 'path');
    const rawQuery = queryOf(chosen.search);
    const query = route.query ? parsed(route.query.safeParse(rawQuery), 'query') : rawQuery;
    const expectedVersion = conditionOf(route, request, response);
    await route.admit?.(values, origin);
    if (request.method === 'HEAD' && route.headOnlyAdmits) return void response.status(200).end();
    using share = this.largeInputs.share();
    const fields = this.requests.hasFieldsInQuery ? rawQuery : {};
    const { limits } = this.options.config;
    const isSignedIn = actor !== null;
    const reading = { limits, isSignedIn, share, fields };
    const { body, sent, file } = await readRouteBody(route, request, reading);
    if (body instanceof Object)
      announceDeprecation(route, response, { ...(params.data as object), ...body }, origin.baseUrl);
    // From here on, the paths in errors are those of the services and are translated to those of
    // the request.
    response.locals.sentAs = route.sentAs;
    const result = await route.handle({
      get actor() {
        return requireActor(actor);
      },
      maybeActor: actor,
      params: values,
      query,
      body,
      sent,
      file,
      origin,
      audience: audienceOf(request, response, origin),
      expectedVersion,
      withoutDeprecated: chosen.isDeprecatedRemoved,
      respondAsync: route.mayRespondAsync === true && prefersAsync(request.headers),
    });
    // Released before sending, which takes as long as the client reads.
    share[Symbol.dispose]();
    if (route.produces !== undefined && !route.produces.includes('*'))
      response.type(route.produces);
    await sendAnswer(request, response, statusOf(route, result), result);
  }

  /** @throws StorageFull */
  private requireSpace(route: Route): void {
    if (!isServedOnFullDisk(route) && this.options.storage?.isFull()) throw new StorageFull();
  }

  /** Links in responses lead to the same dialect. */
  private mounted(origin: Origin): Origin {
    const { mount = '' } = this.options;
    return mount === '' ? origin : { ...origin, baseUrl: origin.baseUrl + mount };
  }

  /** A public operation works even if the token that came with the request cannot be checked. */
  private async authenticateFor(
    route: Route,
    request: Request,
    origin: Origin,
  ): Promise<Authentication> {
    const { authenticate, catchUp = UP_TO_DATE, log } = this.options;
    const token = bearerToken(request.headers);
    const use = request.method === 'HEAD' || route.probe ? 'event' : 'operation';
    if (request.method === 'HEAD' && !route.probe) await catchUp();
    if (route.needs !== 'public') return authenticate(token, origin, use);
    if (token === undefined) {
      if (!route.probe) await catchUp().catch(() => undefined);
      return { state: 'anonymous' };
    }
    try {
      return await authenticate(token, origin, use);
    } catch (error) {
      log.warn(
        { err: error, requestId: origin.requestId },
        'a token was not read for a public operation',
      );
      return { state: 'anonymous' };
    }
  }
}
