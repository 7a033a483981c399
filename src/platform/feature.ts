import type { Config } from '../config/config';
import type { Services } from './context';
import type { ResolverClass } from './graphql/schema';
import { documentedErrors } from './http/error-body';
import type { Presenters } from './http/presenters';
import type { Route } from './http/route';
import type { Destination } from './stomp/destination';

/** The state of the running service, for probes and descriptions. */
export interface ServiceState {
  /** Rejects if the store does not answer. */
  readonly ping: () => Promise<void>;
  /** Returns whether collections, indexes and first records exist. */
  readonly prepared: () => boolean;
  readonly stopping: () => boolean;
  /** Returns the OpenAPI document of all routes, or of those that are not deprecated. */
  readonly openApi: (which: { readonly withoutDeprecated: boolean }) => object;
}

/** What routes and destinations are built from. */
export interface Mounted {
  readonly services: Services;
  readonly presenters: Presenters;
  readonly config: Config;
  readonly system: ServiceState;
}

/**
 * What a feature adds to the APIs. The `index.ts` of each feature exports one; `app.ts` lists all.
 */
export interface Feature {
  /** Descriptions of the OpenAPI tags that its routes introduce. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly resolvers?: readonly ResolverClass[];
  /** The documented REST dialect of its records. */
  readonly presenters?: Partial<Presenters>;
  readonly routes?: (mounted: Mounted) => readonly Route[];
  /** STOMP destinations of the released clients. */
  readonly destinations?: (
    mounted: Pick<Mounted, 'services' | 'presenters'>,
  ) => readonly Destination[];
}

export const resolversOf = (features: readonly Feature[]): readonly ResolverClass[] =>
  features.flatMap(({ resolvers = [] }) => resolvers);

export const tagsOf = (features: readonly Feature[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...features.map(({ tags }) => tags)) as Record<string, string>;

/** The dialect of spec.md. Routes accept any other set of this type. */
export const presentersOf = (features: readonly Feature[]): Presenters =>
  Object.assign(
    { errors: documentedErrors },
    ...features.map(({ presenters }) => presenters),
  ) as Presenters;

export const routesOf = (features: readonly Feature[], mounted: Mounted): Route[] =>
  features.flatMap(({ routes }) => routes?.(mounted) ?? []);

export const destinationsOf = (
  features: readonly Feature[],
  mounted: Pick<Mounted, 'services' | 'presenters'>,
): Destination[] => features.flatMap(({ destinations }) => destinations?.(mounted) ?? []);
