import type { Config } from './config/config';
import type { Domain } from './domain';
import { destinationsOf, presentersOf, releasedPresentersOf, routesOf, tagsOf } from './feature';
import type { ServiceState } from './feature';
import { FEATURES } from './features';
import { readOpenApiFile } from './openapi-files';
import { openApiDescriptions } from './platform/http/openapi/openapi';
import type { OpenApiKey } from './platform/http/openapi/openapi';
import type { Presenters } from './platform/http/presenters';
import { RestApi } from './platform/http/rest-api';
import { dialectPlace, RestDialects } from './platform/http/dialects/rest-dialects';
import type { DialectPlace, MountedRest } from './platform/http/dialects/rest-dialects';
import type { ErrorsAt } from './platform/http/error-body';
import type { Logger } from './platform/log/logger';

/** The REST dialect of spec.md. */
export const DOCUMENTED: Presenters = presentersOf(FEATURES);

export const DIALECTS: Readonly<Record<Config['rest']['dialect'], Presenters>> = {
  documented: DOCUMENTED,
  /** What the released 4.x and 5.x web clients read. */
  released: releasedPresentersOf(FEATURES),
};

const NAMES = Object.keys(DIALECTS);
const nameOf = (presenters: Presenters): string | null =>
  Object.entries(DIALECTS).find(([, each]) => each === presenters)?.[0] ?? null;
const dialectNamed = (name: string | null): Presenters | undefined =>
  name === null ? undefined : new Map(Object.entries(DIALECTS)).get(name);

/**
 * Returns which dialect the failures at each path have.
 * @param presenters the dialect at `/api` and at the root
 */
export const createErrorsAt =
  (presenters: Presenters): ErrorsAt =>
  (path, request) =>
    (dialectNamed(dialectPlace(NAMES, path, request).name) ?? presenters).errors;

export const REST_TAGS = tagsOf(FEATURES);

interface RestParts {
  readonly config: Config;
  readonly log: Logger;
  readonly domain: Domain;
  /** The dialect at `/api` and at the root. */
  readonly presenters: Presenters;
  readonly state: Omit<ServiceState, 'openApi'>;
}

/**
 * Creates the REST API in the dialect of `/api`, and prepares the others.
 * @throws Error if routes contradict each other
 */
export function createRest({
  config,
  log,
  domain: { services, authenticate, catchUp, largeInputs },
  presenters,
  state,
}: RestParts): RestDialects {
  const open = ({ mount, name }: DialectPlace): MountedRest => {
    const shown = dialectNamed(name) ?? presenters;
    const { errors, requests } = shown;
    const parts = { config, errors, tags: REST_TAGS, mount };
    const dialect = nameOf(shown);
    const written = (key: OpenApiKey) => (dialect === null ? null : readOpenApiFile(dialect, key));
    const system = { ...state, openApi: openApiDescriptions(() => routes, parts, written) };
    const all = routesOf(FEATURES, { services, config, system, presenters: shown });
    // A process for other work than clients is only probed.
    const routes = config.roles.includes('api') ? all : all.filter(({ probe }) => probe);
    const { storage } = state;
    const options = {
      routes,
      authenticate,
      catchUp,
      config,
      log,
      largeInputs,
      mount,
      requests,
      storage,
    };
    const destinations = destinationsOf(FEATURES, { services, presenters: shown });
    return { mount, errors, destinations, rest: new RestApi(options) };
  };
  const dialects = new RestDialects(NAMES, open);
  dialects.at('/');
  return dialects;
}
