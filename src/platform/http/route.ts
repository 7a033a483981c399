import type { z } from 'zod';
import type { Actor } from '../access/actor';
import type { Need } from '../access/need';
import type { Origin } from '../context';
import type { ErrorCode } from '../errors/codes';
import type { PathTable } from '../errors/findings';
import type { ExpectedVersion } from '../store/records';
import type { Audience } from './dialects/released-client';

/** A file of a multipart request, already within the size limit. */
export interface UploadedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A body of any media type, as bytes within the size limit. */
export interface SentBody {
  readonly bytes: Buffer;
  /** As sent, with its parameters; undefined for none. */
  readonly contentType: string | undefined;
}

/** What a handler receives, parsed once. */
export interface RouteRequest<P, Q, B> {
  /** Throws without a session, which only happens in `public` routes. */
  readonly actor: Actor;
  /** For public routes, with or without a token. */
  readonly maybeActor: Actor | null;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The body of a route with `bodies`; missing if none was sent. */
  readonly sent?: SentBody;
  /** The file of an `upload` route. */
  readonly file?: UploadedFile;
  readonly origin: Origin;
  /** For presenters. */
  readonly audience: Audience;
  /** The versions that `If-Match` names, for a change or deletion of a record with a version. */
  readonly expectedVersion: ExpectedVersion;
  /** The client wants deprecated operations to act as if removed (`X-Remove-Deprecated`). */
  readonly withoutDeprecated: boolean;
  /**
   * The client wants the work done in the background, and the route supports it: return `Accepted`.
   */
  readonly respondAsync: boolean;
}

/** A response with headers, or of a kind other than JSON. */
export class Reply {
  /** @param status if it differs from the route's */
  constructor(
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}
}

/** Headers of a response that no cache may keep. */
export const NOT_STORED = { 'Cache-Control': 'no-store' } as const;

export interface AnswerHeader {
  readonly description: string;
  /** JSON Schema of its value. Default: text. */
  readonly schema?: { readonly type: 'string' | 'integer'; readonly [key: string]: unknown };
  readonly example?: string | number;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A method and a path below `/api`. */
export type Endpoint = `${Uppercase<Method>} /${string}`;

/** The example request in the API browser. */
export interface RouteExample {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

interface Operation<P, Q, B> {
  /** Also served without `/api`, like a few paths of the released version. */
  readonly alsoAtRoot?: boolean;
  readonly needs: Need;
  /** The owner of the record, for needs that depend on it. Default: `params.id`. */
  readonly owner?: (params: P) => number;
  readonly summary: string;
  readonly description?: string;
  /**
   * The operation still works, and this one replaces it: `GET /connection/check?name={name}`.
   * Placeholders stand for values that the deprecated request has under the same name.
   */
  readonly deprecated?: Endpoint;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /**
   * Media types and schemas, for OpenAPI, of a body that the handler parses itself from `sent`. Its
   * `Content-Encoding` is already decoded.
   */
  readonly bodies?: Readonly<Record<string, z.ZodType>>;
  /** multipart/form-data with one file part of this name; the other parts are parsed by `body`. */
  readonly upload?: { readonly part: string };
  /**
   * A GET that changes something, as in the released version: HEAD is rejected, since it must
   * change nothing.
   */
  readonly changesOnGet?: boolean;
  /** HEAD of such a GET calls `admit` but not the handler, so that nothing is changed. */
  readonly headOnlyAdmits?: boolean;
  /**
   * Served while the disk is full, as GET and DELETE are: it frees space, concerns sessions, or
   * stores nothing.
   */
  readonly servedOnFullDisk?: boolean;
  /** Called before the body is read; throws to reject the request early. */
  readonly admit?: (params: P, origin: Origin) => Promise<void>;
  /**
   * Size limit of a body that is no upload. Default: the one for JSON, and for callers without a
   * session that of all their bodies.
   */
  readonly bodyLimit?: 'json' | 'workflow';
  /**
   * The only media type of its body, if it is not any kind of JSON; sent in `Accept-Patch` (RFC
   * 5789).
   */
  readonly consumes?: string;
  /** Ignores the content type of a JSON body, for clients that send none or a wrong one. */
  readonly anyContentType?: boolean;
  /**
   * Requested by programs every few seconds: logged at debug only, and does not keep the session
   * from going idle.
   */
  readonly probe?: boolean;
  /**
   * The route is about one record with a version. `shown`: the response has the version as `ETag`.
   * `changed`: also reads `If-Match`; a stale version is 412. `deleted`: reads `If-Match` and sends
   * no `ETag`.
   */
  readonly record?: 'shown' | 'changed' | 'deleted';
  /**
   * Done in the background, answered with 202 and a job, if the client sends `Prefer:
   * respond-async`.
   */
  readonly mayRespondAsync?: boolean;
  /**
   * Reads `X-Master-Password`: a correct one `shows` credentials in the response, or is `required`,
   * always or only if a master password is configured.
   */
  readonly masterPassword?: 'shows' | 'required' | 'required-if-configured';
  /** Creates a record or changes an existing one; then the `Reply` has 200 in place of 201. */
  readonly alsoChanges?: boolean;
  readonly answer?: z.ZodType;
  /** Body of a `Reply` with the status 400, in place of that of errors. */
  readonly badAnswer?: z.ZodType;
  /**
   * Media type of the response, if it is not `application/json`: `image/*`, or another kind of
   * JSON.
   */
  readonly produces?: string;
  /** Headers of every success, in addition to those of all responses. */
  readonly answerHeaders?: Readonly<Record<string, AnswerHeader>>;
  /**
   * A request that works and harms nothing, for any user of any installation. What only the user
   * knows is left out (the record's id) or empty (a password), so that nothing is done before they
   * fill it in.
   */
  readonly example?: RouteExample;
  /** Exceptions to the common table of statuses, by code, e.g. `{ ACCESS_DENIED: 500 }`. */
  readonly statuses?: Partial<Record<ErrorCode, number>>;
  /** Domain codes that the handler may throw, for OpenAPI; those of the API itself are added. */
  readonly errors?: readonly ErrorCode[];
  /** Failures that all other routes may have and this one never has. */
  readonly cannotFailWith?: readonly ('INTERNAL_SERVER_ERROR' | 'SERVICE_UNAVAILABLE')[];
  /** Code of a body that is JSON but does not match the schema. Default: BAD_REQUEST. */
  readonly invalidAs?: ErrorCode;
  /** Where fields of the body have other names than in the service, for error messages. */
  readonly sentAs?: PathTable;
  readonly handle: (request: RouteRequest<P, Q, B>) => Promise<unknown>;
}

/** One REST operation: validated, guarded and documented from this one object. */
export interface Route<P = unknown, Q = unknown, B = unknown> extends Operation<P, Q, B> {
  readonly method: Method;
  /** Below `/api`, in Express form: `/user/:id`. */
  readonly path: string;
  readonly tag: string;
  /** `2XX`: the `Reply` has the status, which is that of a remote system. */
  readonly success: 200 | 201 | 202 | 204 | '2XX';
}

/**
 * Returns a function that creates routes with the same tag, and checks the types of each against
 * each other. The path is in Express form: `GET /user/:id`. Default of `success`: 200.
 */
export const routesTagged =
  (tag: string) =>
  <P, Q, B>(
    endpoint: Endpoint,
    definition: Operation<P, Q, B> & Partial<Pick<Route, 'tag' | 'success'>>,
  ): Route => {
    const [method, path] = endpoint.split(' ');
    return { tag, success: 200, method: method?.toLowerCase(), path, ...definition } as Route;
  };
