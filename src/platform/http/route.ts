import type { z } from 'zod';
import type { Actor } from '../access/actor';
import type { Need } from '../access/need';
import type { Origin } from '../context';
import type { ErrorCode } from '../errors/codes';

/** A file that came with a multipart request, already within the size cap. */
export interface UploadedFile {
  readonly fileName: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
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
  /** The file of an `upload` route. */
  readonly file?: UploadedFile;
  readonly origin: Origin;
}

/** An answer with headers, or of a kind other than JSON. */
export class Reply {
  constructor(readonly body: unknown, readonly headers: Readonly<Record<string, string>> = {}) {}
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
  readonly deprecated?: boolean;
  readonly params?: z.ZodType<P>;
  readonly query?: z.ZodType<Q>;
  readonly body?: z.ZodType<B>;
  /** multipart/form-data with one file part of this name; the other parts are parsed by `body`. */
  readonly upload?: { readonly part: string };
  /** A GET that changes something, as the released line has one: it is not answered to HEAD, which changes nothing. */
  readonly changesOnGet?: boolean;
  /** Cap of the body in bytes where it is not the configured one for JSON or uploads. */
  readonly bodyLimit?: 'json' | 'workflow' | 'upload';
  /** The content type of a JSON body is not looked at, for clients that send none or a wrong one. */
  readonly anyContentType?: boolean;
  /** Asked by machines every few seconds: logged at debug only. */
  readonly probe?: boolean;
  readonly success: 200 | 201 | 202 | 204;
  readonly answer?: z.ZodType;
  /** The media type of an answer that is not JSON, e.g. `image/*`. */
  readonly produces?: string;
  /** Documented odd statuses of this route by code, e.g. `{ ACCESS_DENIED: 500 }`; the rest follows the common table. */
  readonly statuses?: Partial<Record<ErrorCode, number>>;
  /** Codes of the domain the handler may throw, for the description; what the door itself answers with is known anyway. */
  readonly errors?: readonly ErrorCode[];
  /** Code (and with `statuses` its status) for a body that parses as JSON but not as what the route wants. Default BAD_REQUEST. */
  readonly invalidAs?: ErrorCode;
  readonly handle: (request: RouteRequest<P, Q, B>) => Promise<unknown>;
}

/** Keeps the types of one route together; the result goes into the feature's list of routes. */
export function route<P, Q, B>(definition: Route<P, Q, B>): Route {
  return definition as unknown as Route;
}
