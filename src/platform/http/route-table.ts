import type { Route } from './route';
import type { z } from 'zod';

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

interface Candidate {
  readonly match: Match;
  readonly parsed: ReadonlyMap<Method, z.ZodSafeParseResult<unknown>>;
  readonly fits: boolean;
}

function parseParams(entry: Entry, segments: readonly string[]): z.ZodSafeParseResult<unknown> {
  const raw = paramsOf(entry, segments);
  return entry.route.params?.safeParse(raw) ?? { success: true, data: raw };
}

function candidateOf(match: Match, segments: readonly string[]): Candidate {
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
function allowOf(fits: readonly Candidate[]): string[] {
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
  const routeMethod = (method === 'HEAD' ? 'get' : method.toLowerCase()) as Method;
  const candidates = table
    .find(segments)
    .map((match) => candidateOf(match, segments))
    .filter((candidate) => candidate.fits || candidate.match.literal);
  const fitting = candidates.filter((candidate) => candidate.fits);
  const considered = fitting.length > 0 ? fitting : candidates;
  if (considered.length === 0) return { kind: 'unknown' };
  for (const { match, parsed } of considered) {
    const entry = match.entries.get(routeMethod);
    const params = parsed.get(routeMethod);
    if (method === 'HEAD' && !answersHead(entry)) continue;
    if (entry && params) return { kind: 'route', route: entry.route, params };
  }
  return { kind: 'other-methods', allow: allowOf(considered) };
}

export type Method = Route['method'];

/** One route at one full path (`/api/user/:id`). */
export interface Entry {
  readonly segments: readonly string[];
  readonly route: Route;
}

/** The entries of a path pattern that matches the request. */
export interface Match {
  readonly entries: ReadonlyMap<Method, Entry>;
  /**
   * False if the pattern consists of parameters only, so that it does not show which paths it is
   * for.
   */
  readonly literal: boolean;
}

interface Pattern {
  readonly segments: readonly string[];
  readonly entries: Map<Method, Entry>;
}

const split = (path: string): string[] => path.split('/').slice(1);
const isParameter = (segment: string): boolean => segment.startsWith(':');
/** Patterns with the same shape match the same paths, whatever their parameters are called. */
const shapeOf = (segments: readonly string[]): string =>
  segments.map((segment) => (isParameter(segment) ? ':' : segment)).join('/');

/** Literal segments before parameters, from the left: `/user/all` comes before `/user/:id`. */
function bySpecificity(a: Pattern, b: Pattern): number {
  for (const [at, segment] of a.segments.entries()) {
    const difference = Number(isParameter(segment)) - Number(isParameter(b.segments[at] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Every path a route is served at. */
export const pathsOf = (route: Route): string[] =>
  route.alsoAtRoot ? [`/api${route.path}`, route.path] : [`/api${route.path}`];

/**
 * The paths of the API. Matching does not depend on the order of registration: literal segments
 * take precedence over parameters.
 * @throws Error a route without a need, or a second one for the same method and path
 */
export class RouteTable {
  private readonly byLength = new Map<number, Pattern[]>();

  constructor(routes: readonly Route[]) {
    for (const route of routes) {
      const name = `${route.method.toUpperCase()} ${route.path}`;
      if (!(route as Partial<Route>).needs)
        throw new Error(`The route ${name} does not say what it needs.`);
      if (!/^(?:\/[^/]+)+$/.test(route.path))
        throw new Error(`The route ${name} has no proper path.`);
      for (const path of pathsOf(route)) this.add(path, route);
    }
    for (const patterns of this.byLength.values()) patterns.sort(bySpecificity);
  }

  private add(path: string, route: Route): void {
    const segments = split(path);
    const patterns = this.byLength.get(segments.length) ?? [];
    this.byLength.set(segments.length, patterns);
    let pattern = patterns.find((one) => shapeOf(one.segments) === shapeOf(segments));
    if (!pattern) {
      pattern = { segments, entries: new Map() };
      patterns.push(pattern);
    }
    if (pattern.entries.has(route.method))
      throw new Error(`Two routes answer ${route.method.toUpperCase()} ${path}.`);
    pattern.entries.set(route.method, { segments, route });
  }

  /**
   * Returns all patterns that a path matches, the most specific first. `segments` are already
   * decoded.
   */
  find(segments: readonly string[]): Match[] {
    return (this.byLength.get(segments.length) ?? [])
      .filter((pattern) =>
        pattern.segments.every((segment, at) => isParameter(segment) || segment === segments[at]),
      )
      .map((pattern) => ({
        entries: pattern.entries,
        literal: pattern.segments.some(
          (segment, at) => !isParameter(segment) && !(at === 0 && segment === 'api'),
        ),
      }));
  }
}

/** Returns the parameters of an entry from a path that it matches, by name. */
function paramsOf(entry: Entry, segments: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, segment] of entry.segments.entries()) {
    if (isParameter(segment)) params[segment.slice(1)] = segments[at] ?? '';
  }
  return params;
}
