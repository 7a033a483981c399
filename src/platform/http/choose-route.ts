import type { z } from 'zod';
import { paramsOf } from './route-table';
import type { Entry, Match, Method, RouteTable } from './route-table';
import type { Route } from './route';

/**
 * What a method and a path lead to: a route with its parameters, a known path with other methods,
 * or nothing.
 */
export type Choice =
  | {
      readonly kind: 'route';
      readonly route: Route;
      readonly params: z.ZodSafeParseResult<unknown>;
    }
  | { readonly kind: 'other-methods'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' };

interface Fit {
  readonly match: Match;
  readonly parsed: ReadonlyMap<Method, z.ZodSafeParseResult<unknown>>;
  readonly fits: boolean;
}

function parseParams(entry: Entry, segments: readonly string[]): z.ZodSafeParseResult<unknown> {
  const raw = paramsOf(entry, segments);
  return entry.route.params?.safeParse(raw) ?? { success: true, data: raw };
}

function fitOf(match: Match, segments: readonly string[]): Fit {
  const parsed = new Map(
    [...match.entries].map(([method, entry]) => [method, parseParams(entry, segments)] as const),
  );
  return { match, parsed, fits: [...parsed.values()].some((result) => result.success) };
}

/**
 * HEAD is answered like GET, except where GET changes something and the route does not set
 * `headOnlyAdmits`.
 */
const answersHead = (get: Entry | undefined): boolean =>
  get !== undefined && (get.route.changesOnGet !== true || get.route.headOnlyAdmits === true);

/** Returns the methods of these paths for the `Allow` header. */
function allowOf(fits: readonly Fit[]): string[] {
  const methods = new Set(
    fits.flatMap(({ match }) => [...match.entries.keys()].map((method) => method.toUpperCase())),
  );
  if (fits.some(({ match }) => answersHead(match.entries.get('get')))) methods.add('HEAD');
  methods.add('OPTIONS');
  return [...methods].sort();
}

/**
 * Finds the route for a request. A path whose parameters do not parse is left out if a more literal
 * one fits: `DELETE /role/all` matches `GET /role/all`, not `DELETE /role/:id`. A pattern of
 * parameters only (`DELETE /:id`) matches only if they parse, or every unknown path would be known.
 */
export function chooseRoute(
  table: RouteTable,
  method: string,
  segments: readonly string[],
): Choice {
  const wanted = (method === 'HEAD' ? 'get' : method.toLowerCase()) as Method;
  const candidates = table
    .find(segments)
    .map((match) => fitOf(match, segments))
    .filter((fit) => fit.fits || fit.match.literal);
  const fitting = candidates.filter((fit) => fit.fits);
  const considered = fitting.length > 0 ? fitting : candidates;
  if (considered.length === 0) return { kind: 'unknown' };
  for (const { match, parsed } of considered) {
    const entry = match.entries.get(wanted);
    const params = parsed.get(wanted);
    if (method === 'HEAD' && !answersHead(entry)) continue;
    if (entry && params) return { kind: 'route', route: entry.route, params };
  }
  return { kind: 'other-methods', allow: allowOf(considered) };
}
