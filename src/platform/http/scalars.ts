import { z } from 'zod';
import type { oas31 } from 'zod-openapi';

const INT32_MAX = 2_147_483_647;
const INT32_MIN = -2_147_483_648;

/** What OpenAPI says of a value that travels as text and means something else. */
const shownAs = (schema: oas31.SchemaObject) => ({
  override: ({ jsonSchema }: { jsonSchema: object }): void => {
    for (const key of ['pattern', 'anyOf', 'enum', 'minimum', 'maximum']) Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, schema);
  },
});

/**
 * Fields that a body must have although the schema lets them pass: the service says what is missing in its own words. `oneOf`: one of
 * these, where a field has two names.
 */
export function requiring<S extends z.ZodType>(schema: S, names: readonly string[], oneOf: readonly string[] = []): S {
  return schema.meta({
    override: ({ jsonSchema }: { jsonSchema: { required?: string[]; anyOf?: object[] } }): void => {
      if (names.length > 0) jsonSchema.required = [...new Set([...(jsonSchema.required ?? []), ...names])];
      if (oneOf.length > 0) jsonSchema.anyOf = oneOf.map((name) => ({ required: [name] }));
    },
  });
}

const wholeNumberText = z.string().regex(/^(?:0|-?[1-9]\d{0,9})$/, 'Expected a whole number.');

/** A whole number that travels as text, in a path or a query. */
export function wholeNumberIn(min: number, max: number) {
  return wholeNumberText.transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta(shownAs({ type: 'integer', minimum: min, maximum: max }));
}

/** The same with a value for when it is missing. (`.default()` works too, but OpenAPI would not show it: the text and the number differ in type.) */
export function optionalWholeNumberIn(min: number, max: number, fallback: number) {
  return wholeNumberIn(min, max).default(fallback).meta(shownAs({ type: 'integer', minimum: min, maximum: max, default: fallback }));
}

/** The id in a path: a whole number of 32 bits. One that no record has is the service's to answer. */
export const PathId = wholeNumberIn(INT32_MIN, INT32_MAX).meta(shownAs({ type: 'integer', format: 'int32' }));

/** `{ id }`, the commonest params of all. */
export const IdParams = z.object({ id: PathId });

/** An id in an answer. */
export const AnswerId = z.int().meta({ override: { type: 'integer', format: 'int32', minimum: 1 } });

/** An id in a JSON body: old clients send it as text as well. */
export const BodyId = z.union([z.number().int().min(INT32_MIN).max(INT32_MAX), PathId], { error: 'Expected a whole number.' })
  .meta(shownAs({ type: ['integer', 'string'], format: 'int32', pattern: '^(?:0|-?[1-9]\\d{0,9})$' }));

/** `true` or `false` in a query. */
export const QueryFlag = z.enum(['true', 'false'], { error: 'Expected true or false.' })
  .transform((text) => text === 'true')
  .meta(shownAs({ type: 'boolean' }));
