import Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

/** A received response. */
export interface Seen {
  readonly method: string;
  /** The path template: `/api/user/{id}`. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON of any media type; undefined if empty. */
  readonly body: any;
}

type Json = Record<string, any>;

/** Clients must accept additional fields; here an undocumented field is an error. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === 'example' || key === 'examples' ? value : closed(value),
    ]),
  );
  return 'properties' in entries &&
    entries.type === 'object' &&
    !('additionalProperties' in entries)
    ? { ...entries, additionalProperties: false }
    : entries;
}

const mediaTypeOf = (headers: Headers): string | undefined =>
  headers.get('content-type')?.split(';', 1)[0]?.trim();

const fitsType = (type: string, documented: string): boolean =>
  documented === type ||
  documented === '*/*' ||
  (documented.endsWith('/*') && type.startsWith(documented.slice(0, -1)));

/** No content, and Reset Content (RFC 9110, 15.3.5 and 15.3.6). */
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

/** Validates requests and responses against an OpenAPI document with an independent JSON Schema validator. */
export class Contract {
  private readonly ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    strictRequired: false,
    strictTypes: false,
    strictTuples: false,
    validateSchema: false,
  });
  private readonly schemas: Json;
  private readonly compiled = new Map<string, ValidateFunction>();

  /** @param codeField the field of an error body that has the code */
  constructor(
    private readonly document: Json,
    private readonly codeField: 'message' | 'error' = 'message',
  ) {
    addFormats(this.ajv);
    this.ajv.addVocabulary(['example', 'xml', 'discriminator', 'externalDocs']);
    // The schemas of the document refer to each other.
    this.schemas = JSON.parse(
      JSON.stringify(closed(document)).replaceAll('"#/components/schemas/', '"components#/$defs/'),
    ) as Json;
    this.ajv.addSchema({ $defs: this.schemas.components.schemas as Json }, 'components');
  }

  /** Every operation with its documented failures. */
  operations(): {
    method: string;
    path: string;
    operation: Json;
    codes: [status: number, code: string][];
  }[] {
    return Object.entries<Json>(this.document.paths).flatMap(([path, item]) =>
      Object.entries<Json>(item).map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        operation,
        codes: Object.entries<Json>(operation.responses).flatMap(
          ([status, { 'x-codes': codes = [] }]) =>
            (codes as string[]).map((code): [number, string] => [Number(status), code]),
        ),
      })),
    );
  }

  operation(method: string, path: string): Json {
    const operation = this.document.paths[path]?.[method.toLowerCase()] as Json | undefined;
    if (!operation) throw new Error(`There is no ${method} ${path} in the description.`);
    return operation;
  }

  private validator(parts: readonly string[]): ValidateFunction {
    const schema = parts.reduce<Json>((inside, part) => inside[part] as Json, this.schemas);
    // Most operations share the same failures.
    const text = JSON.stringify(schema);
    const validate = this.compiled.get(text) ?? this.ajv.compile(schema);
    this.compiled.set(text, validate);
    return validate;
  }

  /** The errors of a value against the schema at a location of the document. */
  problemsOfValue(value: unknown, ...place: readonly string[]): string[] {
    const validate = this.validator(place);
    return validate(value)
      ? []
      : (validate.errors ?? []).map(
          ({ instancePath, message, params }) =>
            `${instancePath} ${message} ${JSON.stringify(params)}`,
        );
  }

  problemsOfBody(method: string, path: string, body: unknown): string[] {
    const { requestBody } = this.operation(method, path);
    const type = Object.keys(requestBody?.content ?? {})[0];
    return type === undefined
      ? ['takes no body']
      : this.problemsOfValue(
          body,
          'paths',
          path,
          method.toLowerCase(),
          'requestBody',
          'content',
          type,
          'schema',
        );
  }

  /** The errors of a response: status, media type, headers, body and error code. */
  problemsOf({ method, path, status, headers, body }: Seen): string[] {
    const responses = this.operation(method, path).responses as Json;
    // An exact status takes precedence over a range.
    const described = [String(status), `${String(status)[0]}XX`].find((one) => one in responses);
    if (described === undefined)
      return [`status ${status} (${JSON.stringify(body)}) is not described`];
    const response = responses[described] as Json;
    const headerProblems = this.problemsOfHeaders(headers, response.headers ?? {});
    // The content of a range does not apply to statuses that never have content.
    if (described.endsWith('XX') && BODILESS.has(status))
      return [...headerProblems, ...(body === undefined ? [] : [`${status} has a body`])];
    return [
      ...headerProblems,
      ...this.problemsOfContent(headers, body, response, [
        'paths',
        path,
        method.toLowerCase(),
        'responses',
        described,
      ]),
    ];
  }

  private problemsOfHeaders(headers: Headers, described: Json): string[] {
    return Object.entries<Json>(described).flatMap(([name, header]) => {
      const at = header.$ref ? ['components', 'headers', name] : null;
      const { required, schema } = at ? (this.document.components.headers[name] as Json) : header;
      const text = headers.get(name);
      if (text === null) return required ? [`the header ${name} is missing`] : [];
      const value = schema.type === 'integer' ? Number(text) : text;
      const validate = this.ajv.compile(schema as object);
      return validate(value) ? [] : [`the header ${name} is ${text}`];
    });
  }

  private problemsOfContent(
    headers: Headers,
    body: unknown,
    response: Json,
    place: readonly string[],
  ): string[] {
    const type = mediaTypeOf(headers);
    if (!response.content)
      return body === undefined ? [] : [`has a body of ${type}, and none is described`];
    const documented = Object.keys(response.content as Json).find(
      (one) => type !== undefined && fitsType(type, one),
    );
    if (documented === undefined)
      return [`is ${type}, described are ${Object.keys(response.content as Json).join(', ')}`];
    if (!documented.includes('json')) return [];
    const wrongCode =
      response['x-codes'] &&
      !Array.isArray(body) &&
      !response['x-codes'].includes((body as Json)[this.codeField])
        ? [`the code ${(body as Json)[this.codeField]} is not described`]
        : [];
    return [...wrongCode, ...this.problemsOfValue(body, ...place, 'content', documented, 'schema')];
  }
}
