import type { Config } from './config/config';
import type { Lockouts } from './platform/attempts/lockout';
import type { Services } from './platform/context';
import type { ControlCommand } from './platform/control/command';
import type { Core } from './platform/core';
import type { Passwords } from './platform/crypto/passwords';
import type { SealedValues } from './platform/crypto/sealed-records';
import type { RunMarks } from './platform/crypto/run-marks';
import type { Tokens } from './platform/crypto/tokens';

import type { VaultKeys } from './platform/crypto/vault';
import type { ServiceFiles } from './platform/files/file-store';
import type { Uploads } from './platform/files/uploads';
import type { RedisHints } from './platform/events/redis-hints';
import type { ResolverClass } from './platform/graphql/schema/build-schema';
import { documentedErrors } from './platform/http/error-body';
import { documentedExists, releasedExists } from './platform/http/exists';
import type { Presenters } from './platform/http/presenters';
import { releasedErrors } from './platform/http/dialects/released-errors';
import { documentedRequests, releasedRequests } from './platform/http/dialects/request-dialect';
import type { Route } from './platform/http/route';
import type { LargeInputs } from './platform/large-inputs';
import type { Gauge, Metrics } from './platform/metrics/metrics';
import type { Outbound } from './platform/outbound';
import type { Destination } from './platform/http/dialects/destination';
import type { StorageState } from './platform/store/full-disk';
import type { Processes } from './platform/store/startup/processes';
import type { SearchSource } from './platform/store/lists/title-search';
import type { Tracing } from './platform/tracing/tracing';

/** Compiled files, each needed only if it is not next to the module that starts it. */
export interface Programs {
  /** The process that executes a run. */
  readonly run?: string;
  /** The thread that executes a script, if runs are executed in this process. */
  readonly sandbox?: string;
  /** The process that reads large inputs. */
  readonly input?: string;
}

/**
 * What the services of all features are created from. Types of features are added by declaration
 * merging, as in `Services`.
 */
export interface Foundation {
  readonly core: Core;
  readonly config: Config;
  /** The port of the service, which may differ from the configuration. */
  readonly port: number;
  readonly programs: Programs;
  /** Null: no Redis is used. */
  readonly hints: RedisHints | null;
  readonly largeInputs: LargeInputs;
  readonly lockouts: Lockouts;
  readonly metrics: Metrics;
  /** Null: nothing is traced. */
  readonly tracing: Tracing | null;
  readonly outbound: Outbound;
  readonly passwords: Passwords;
  readonly runMarks: RunMarks;
  readonly tokens: Tokens;
  /** Signs tokens and derives keys. */
  readonly tokenSecret: Buffer;
  /** Where uploaded files lie. */
  readonly files: ServiceFiles;
  readonly uploads: Uploads;
  readonly vault: VaultKeys;
  /** The processes at the store. */
  readonly processes: Processes;
  /** Interval of the check for due schedules, ms. */
  readonly scheduleTickMs: number | undefined;
  /** Ends the process so that its supervisor starts it again. */
  readonly restart: (() => void) | undefined;
}

interface FeatureContext extends Foundation {
  /** A service is created when it is first read here. */
  readonly services: Services;
  readonly features: readonly Feature[];
}

type ServiceFactories = {
  readonly [Name in keyof Services]?: (context: FeatureContext) => Services[Name];
};

/** The first administrator. A generated password is stored nowhere else in clear text. */
export interface FirstAdministrator {
  readonly email: string;
  readonly generatedPassword: string | null;
  /** True if an earlier start created the administrator but could not print the password. */
  readonly isRenewed: boolean;
}

/** Prints the credentials for the operator. Returns false if the output could not be read. */
export type PrintAdministrator = (administrator: FirstAdministrator) => Promise<boolean>;

/** The state of the running service, for probes and descriptions. */
export interface ServiceState {
  /** Rejects if the store does not answer. */
  readonly ping: () => Promise<void>;
  /** Returns whether collections, indexes and first records exist. */
  readonly prepared: () => boolean;
  readonly stopping: () => boolean;
  readonly storage: StorageState;
  /** Returns the OpenAPI document of all routes, or of those that are not deprecated. */
  readonly openApi: (options: { readonly withoutDeprecated: boolean }) => object;
}

/** What routes and destinations are built from. */
interface Mounted {
  readonly services: Services;
  readonly presenters: Presenters;
  readonly config: Config;
  readonly system: ServiceState;
}

/**
 * What a feature adds to the service. The `index.ts` of each feature exports one;
 * `features/index.ts` lists all.
 */
export interface Feature {
  readonly services?: ServiceFactories;
  /** Encrypted values, which a change of the master password encrypts again. */
  readonly sealed?: (services: Services) => readonly SealedValues[];
  /** How its records are found by title. */
  readonly search?: (services: Services) => SearchSource;
  /** Operator commands on the machine of the service. */
  readonly commands?: (services: Services) => readonly ControlCommand[];
  /** Metrics that are read when they are requested. */
  readonly gauges?: (context: FeatureContext) => readonly Gauge[];
  /** Called in order after migrations, before the service accepts clients. */
  readonly prepare?: (context: FeatureContext, print: PrintAdministrator) => Promise<void>;
  /** Starts background work, once the service accepts clients. */
  readonly start?: (context: FeatureContext) => void;
  /** The same for work that one of several processes is enough for: see the role `scheduler`. */
  readonly startRecurring?: (context: FeatureContext) => void;
  readonly stop?: (context: FeatureContext) => Promise<void>;
  /** Descriptions of the OpenAPI tags that its routes introduce. */
  readonly tags?: Readonly<Record<string, string>>;
  readonly resolvers?: readonly ResolverClass[];
  /** The documented REST dialect of its records. */
  readonly presenters?: Partial<Presenters>;
  /** What differs in the released REST dialect. */
  readonly releasedPresenters?: Partial<Presenters>;
  readonly routes?: (mounted: Mounted) => readonly Route[];
  /** STOMP destinations of the released clients. */
  readonly destinations?: (
    mounted: Pick<Mounted, 'services' | 'presenters'>,
  ) => readonly Destination[];
}

/**
 * Creates the services of all features, each after those that it reads.
 * @throws Error if services need each other in a circle
 */
export function createServices(
  features: readonly Feature[],
  foundation: Foundation,
): FeatureContext {
  const services = { bus: foundation.core.bus } as Services;
  const context = { ...foundation, services, features };
  const factories = Object.assign({}, ...features.map((each) => each.services)) as Record<
    string,
    (context: FeatureContext) => unknown
  >;
  const started: string[] = [];
  for (const [name, create] of Object.entries(factories))
    Object.defineProperty(services, name, {
      configurable: true,
      enumerable: true,
      get() {
        if (started.includes(name))
          throw new Error(`These services need each other: ${[...started, name].join(', ')}`);
        started.push(name);
        const value = create(context);
        started.pop();
        Object.defineProperty(services, name, { value });
        return value;
      },
    });
  for (const name of Object.keys(factories)) void services[name as keyof Services];
  return context;
}

/** Returns the encrypted values of all features. */
export const sealedOf = (features: readonly Feature[], services: Services): SealedValues[] =>
  features.flatMap(({ sealed }) => sealed?.(services) ?? []);

export const resolversOf = (features: readonly Feature[]): readonly ResolverClass[] =>
  features.flatMap(({ resolvers = [] }) => resolvers);

export const tagsOf = (features: readonly Feature[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...features.map(({ tags }) => tags)) as Record<string, string>;

/** The dialect of spec.md. Routes accept any other set of this type. */
export const presentersOf = (features: readonly Feature[]): Presenters =>
  Object.assign(
    { errors: documentedErrors, requests: documentedRequests, exists: documentedExists },
    ...features.map(({ presenters }) => presenters),
  ) as Presenters;

/** The dialect of the released clients: the documented one, except for what they read differently. */
export const releasedPresentersOf = (features: readonly Feature[]): Presenters =>
  Object.assign(
    presentersOf(features),
    { errors: releasedErrors, requests: releasedRequests, exists: releasedExists },
    ...features.map(({ releasedPresenters }) => releasedPresenters),
  ) as Presenters;

export const routesOf = (features: readonly Feature[], mounted: Mounted): Route[] =>
  features.flatMap(({ routes }) => routes?.(mounted) ?? []);

export const destinationsOf = (
  features: readonly Feature[],
  mounted: Pick<Mounted, 'services' | 'presenters'>,
): Destination[] => features.flatMap(({ destinations }) => destinations?.(mounted) ?? []);
