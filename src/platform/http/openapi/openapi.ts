import { OPEN_BODY_BYTES } from '../body/json-body';
import type { CreateDocumentOptions, oas31, ZodOpenApiPathsObject } from 'zod-openapi';
import type { Config } from '../../../config/config';
import { VERSION } from '../../version';
import { withoutDeprecated } from '../deprecation';
import type { ErrorDialect } from '../error-body';
import { errorExamples, sharedHeaders } from './openapi-responses';
import { operationOf } from './openapi-operation';
import { pathsOf } from '../route-table';
import type { Route } from '../route';

export type OpenApiDocument = oas31.OpenAPIObject;

const DESCRIPTION = `The REST API of Hypha. Sign in with \`POST /api/login\`: the token comes back in the \`Authorization\` response header and goes
into the \`Authorization\` header of every other request. Each operation names what it needs; a failure has the error body with its code in \`message\`.

What is deprecated still works, says so in the headers \`Deprecation\` and \`Link\`, and names what is called instead. With the header
\`X-Remove-Deprecated: 1\` it answers as if it were gone already; \`?removeDeprecated=true\` at this description leaves it out.`;

const openApiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function size(bytes: number): string {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`;
  return bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}

function byKey<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(record).sort(([a], [b]) => (a < b ? -1 : Number(a > b))),
  );
}

/**
 * Allows more properties in responses, which may get some later, and leaves out the bounds of
 * JavaScript integers, which tell the reader nothing.
 */
const plainSchemas: CreateDocumentOptions = {
  allowEmptySchema: { custom: true, transform: true, unknown: true, any: true },
  override: ({ jsonSchema, io }) => {
    if (io === 'output' && jsonSchema.additionalProperties === false)
      delete jsonSchema.additionalProperties;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
};

const SERVER_DESCRIPTION = 'Where this description came from.';

/**
 * URLs of the operations: the public one, which is also right for a copy of this document, and the
 * server that the document came from.
 */
function serversOf(publicUrl: string | null, mount: string): OpenApiDocument['servers'] {
  if (publicUrl === null) return [{ url: mount || '/', description: SERVER_DESCRIPTION }];
  const url = `${publicUrl}${mount}`;
  return [
    { url, description: 'The public address.' },
    { url: new URL(url).pathname, description: SERVER_DESCRIPTION },
  ];
}

interface OpenApiParts {
  readonly config: Pick<Config, 'limits' | 'server'>;
  readonly errors: ErrorDialect;
  readonly tags?: Readonly<Record<string, string>>;
  /** The path before that of each operation. Default: empty. */
  readonly mount?: string;
}

/** Returns what the configuration and the path of a dialect change in a description. */
const variableParts = ({
  config: { limits, server },
  mount = '',
}: OpenApiParts): Pick<OpenApiDocument, 'info' | 'servers'> => ({
  info: {
    title: 'Hypha',
    version: VERSION,
    description: `${DESCRIPTION}\n\nA JSON body may have ${size(limits.jsonBytes)}, without a session ${size(OPEN_BODY_BYTES)}; a workflow, template, patch or invoker ${size(limits.workflowBytes)}; an uploaded file ${size(limits.uploadBytes)}.`,
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: serversOf(server.publicUrl, mount),
});

/** Builds OpenAPI 3.1 of the routes. The same routes in any order give the same bytes. */
export function buildOpenApi(routes: readonly Route[], parts: OpenApiParts): OpenApiDocument {
  const { errors, tags = {} } = parts;
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    for (const path of pathsOf(route)) {
      const item = paths[openApiPath(path)] ?? {};
      paths[openApiPath(path)] = byKey({
        ...item,
        [route.method]: operationOf(route, path, errors),
      });
    }
  }
  // Loaded here because most services never need it.
  const { createDocument } = require('zod-openapi') as typeof import('zod-openapi');
  const document = createDocument(
    {
      openapi: '3.1.0',
      ...variableParts(parts),
      tags: [...new Set(routes.map((route) => route.tag))]
        .sort()
        .map((name) => ({ name, ...(tags[name] && { description: tags[name] }) })),
      paths: byKey(paths),
      components: {
        examples: byKey(errorExamples(routes, errors)),
        headers: sharedHeaders(),
        securitySchemes: {
          bearerAuth: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The token that `POST /api/login` answers in its `Authorization` header.',
          },
        },
      },
    },
    plainSchemas,
  );
  return {
    ...document,
    components: { ...document.components, schemas: byKey(document.components?.schemas ?? {}) },
  };
}

/** Which description of a dialect. */
export interface OpenApiKey {
  readonly withoutDeprecated: boolean;
}

/**
 * The documents with and without deprecated operations, made at first use, since most services
 * never need them.
 * @param written returns a document of the same routes that was written before, if there is one:
 *   building one takes a third of a second
 */
export function openApiDescriptions(
  routes: () => readonly Route[],
  parts: OpenApiParts,
  written: (key: OpenApiKey) => OpenApiDocument | null = () => null,
): (key: OpenApiKey) => OpenApiDocument {
  const make = (key: OpenApiKey): OpenApiDocument => {
    const document = written(key);
    if (document !== null) return { ...document, ...variableParts(parts) };
    return buildOpenApi(key.withoutDeprecated ? withoutDeprecated(routes()) : routes(), parts);
  };
  const made = new Map<boolean, OpenApiDocument>();
  return (key) => {
    const document = made.get(key.withoutDeprecated) ?? make(key);
    made.set(key.withoutDeprecated, document);
    return document;
  };
}
