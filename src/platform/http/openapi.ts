import type { oas31 } from 'zod-openapi';
import type { Config } from '../../config/config';
import type { Route } from './route';

export type OpenApiDocument = oas31.OpenAPIObject;

/** OpenAPI 3.1 of the routes: same routes, same bytes. */
export declare function buildOpenApi(routes: readonly Route[], config: Pick<Config, 'limits'>): OpenApiDocument;
