import type { Config } from '../../config/config';
import type { Route } from '../../platform/http/route';

export interface SystemPorts {
  /** Rejects when the store does not answer. */
  readonly ping: () => Promise<void>;
  /** Collections, indexes and seed are there. */
  readonly prepared: () => boolean;
  readonly stopping: () => boolean;
  /** The OpenAPI document of all routes, these too. */
  readonly openApi: () => object;
}

/** /healthz, /readyz, /config.json, /openapi.json, at the root and below /api. */
export declare function systemRoutes(config: Config, ports: SystemPorts): Route[];
