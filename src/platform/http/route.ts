import type { z } from 'zod';
import type { Actor } from '../access/actor';
import type { Need } from '../access/need';
import type { Origin } from '../context';
import type { ErrorCode } from '../errors/codes';
import type { PathTable } from '../errors/input-paths';
import type { ExpectedVersion } from '../store/expected-version';

/** A file that came with a multipart request, already within the size cap. */
export interface UploadedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/** A body of any media type, as bytes within the size cap. */
export interface SentBody {
  readonly bytes: Buffer;
  /** As it was sent, with its parameters; undefined for none. */
  readonly contentType: string | undefined;
}

/** What a handler gets: everything parsed once, at the door. */
export interface RouteRequest<P, Q, B> {
  /** There unless the route is `public`. */
  readonly actor: Actor;
  /** Also for public routes, where a token may or may not have come along. */
  readonly maybeActor: Actor | null;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  /** The body of a route that declares `bodies`; missing where none was sent. */
  readonly sent?: SentBody;
  /** The file of an `upload` route. */
  readonly file?: UploadedFile;
  readonly origin: Origin;
  /** What `If-Match` names, for a change or deletion of a record with a version. */
  readonly expectedVersion: ExpectedVersion;
  /** The caller wants what is deprecated to be gone (`X-Remove-Deprecated`). */
  readonly withoutDeprecated: boolean;
  /** The client wants the work done in the background, and the route may do so: answer `Accepted`. */
  readonly respondAsync: boolean;
}

/** An answer with headers, or of a kind other than JSON. */
export class Reply {
  /** @param status where it is not that of the route */
  constructor(
    readonly body: unknown,
    readonly headers: Readonly<Record<string, string>> = {},
    readonly status?: number,
  ) {}
}

/** What OpenAPI says of a header of an answer. */
export interface AnswerHeader {
  readonly description: string;
  /** JSON Schema of its value. Default: text. */
  readonly schema?: { readonly type: 'string' | 'integer'; readonly [key: string]: unknown };
  readonly example?: string | number;
}

/** What is called instead: a method and a path below `/api`, with names in braces for what the deprecated request has under the same name. */
export type Replacement = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/** A request as the API browser offers it. */
export interface RouteExample {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/** One REST operation: validated, guarded and documented from this one object. */
export interface Route<P = unknown, Q = unknown, B = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Below `/api`, in Express form: `/user/:id`. */
  readonly path: string;
  /** Also served without `/api` in front, as the released line does for a few paths. */
  readonly alsoAtRoot?: boolean;
  readonly needs: Need;
  /** Whose record it is, for needs that depend on it. Default: `params.id`. */
  readonly owner?: (params: P) => number;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** It still works, and this is called instead: `GET /connection/check?name={name}`, with what the request calls `name`. */
  readonly deprecated?: Replacement;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** Media types, for the description, of a body that the handler parses itself from `sent`: its `Content-Encoding` is decoded. */
  readonly bodies?: Readonly<Record<string, z.ZodType>>;
  /** multipart/form-data with one file part of this name; the other parts are parsed by `body`. */
  readonly upload?: { readonly part: string };
  /** A GET that changes something, as the released line has one: it is not answered to HEAD, which changes nothing. */
  readonly changesOnGet?: boolean;
  /** HEAD, of a GET that changes something: `admit` is asked and the handler is not, so that nothing is changed. */
  readonly headOnlyAdmits?: boolean;
  /** Asked before the body is read: who has no business here sends it in vain. It refuses by what it throws. */
  readonly admit?: (params: P, origin: Origin) => Promise<void>;
  /** Cap of the body in bytes where it is not the configured one for JSON or uploads. */
  readonly bodyLimit?: 'json' | 'workflow' | 'upload';
  /** The one media type of its body, where it is not any kind of JSON; it is said in `Accept-Patch` (RFC 5789). */
  readonly consumes?: string;
  /** The content type of a JSON body is not looked at, for clients that send none or a wrong one. */
  readonly anyContentType?: boolean;
  /** Asked by machines every few seconds: logged at debug only. */
  readonly probe?: boolean;
  /**
   * It is about one record with a version. `shown`: the answer carries it as `ETag`. `changed`: and `If-Match` is read, a stale one is 412.
   * `deleted`: `If-Match` is read, and no version is left to be shown.
   */
  readonly record?: 'shown' | 'changed' | 'deleted';
  /** Done in the background, answered with 202 and a job, where the client says `Prefer: respond-async`. */
  readonly mayRespondAsync?: boolean;
  /** It reads `X-Master-Password`: a correct one `shows` credentials in its answer, or is `required`. */
  readonly masterPassword?: 'shows' | 'required';
  /** What was sent may be there already and is changed then: the `Reply` says 200 in place of 201. */
  readonly alsoChanges?: boolean;
  /** `2XX`: the `Reply` says which; it is that of a remote system. */
  readonly success: 200 | 201 | 202 | 204 | '2XX';
  readonly answer?: z.ZodType;
  /** The media type of an answer that is not `application/json`: `image/*`, or another kind of JSON. */
  readonly produces?: string;
  /** Headers that every success has, beside those of all answers. */
  readonly answerHeaders?: Readonly<Record<string, AnswerHeader>>;
  /**
   * A request that works and harms nothing, whoever sends it to whichever installation. What only a person can say is left out (which record
   * goes) or empty (a password), so that nothing is done before it is filled in.
   */
  readonly example?: RouteExample;
  /** Documented odd statuses of this route by code, e.g. `{ ACCESS_DENIED: 500 }`; the rest follows the common table. */
  readonly statuses?: Partial<Record<ErrorCode, number>>;
  /** Codes of the domain the handler may throw, for the description; what the door itself answers with is known anyway. */
  readonly errors?: readonly ErrorCode[];
  /** What any other route may be answered with and this one never is: it asks nothing that could break, or is there before all else. */
  readonly cannotFailWith?: readonly ('INTERNAL_SERVER_ERROR' | 'SERVICE_UNAVAILABLE')[];
  /** Code (and with `statuses` its status) for a body that parses as JSON but not as what the route wants. Default BAD_REQUEST. */
  readonly invalidAs?: ErrorCode;
  /** Where the body has what the service calls otherwise, for the texts of its refusals. */
  readonly sentAs?: PathTable;
  readonly handle: (request: RouteRequest<P, Q, B>) => Promise<unknown>;
}

/** Keeps the types of one route together; the result goes into the feature's list of routes. */
export function route<P, Q, B>(definition: Route<P, Q, B>): Route {
  return definition as unknown as Route;
}
