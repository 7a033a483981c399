import { z } from 'zod';
import type { oas31 } from 'zod-openapi';
import { MOST_AT_ONCE } from '../store/records';

export const INT32_MAX = 2_147_483_647;
const INT32_MIN = -2_147_483_648;

/** OpenAPI schema of a value that is sent as text but has another type. */
const shownAs = (schema: oas31.SchemaObject) => ({
  override: ({ jsonSchema }: { jsonSchema: object }): void => {
    for (const key of ['pattern', 'anyOf', 'enum', 'minimum', 'maximum'])
      Reflect.deleteProperty(jsonSchema, key);
    Object.assign(jsonSchema, schema);
  },
});

/**
 * Removes null from the OpenAPI schema of a value that the schema accepts as null and the service
 * does not.
 */
function withoutNull({
  jsonSchema,
}: {
  jsonSchema: { anyOf?: { type?: unknown }[]; type?: string | string[] };
}): void {
  const { anyOf, type } = jsonSchema;
  if (Array.isArray(type)) jsonSchema.type = type.filter((one) => one !== 'null');
  const others = anyOf?.filter((one) => one.type !== 'null') ?? [];
  if (others.length > 1) jsonSchema.anyOf = others;
  else if (others[0]) Object.assign(jsonSchema, { anyOf: undefined }, others[0]);
}

/**
 * Marks fields as required in OpenAPI that the schema accepts as missing: the service reports them
 * in its own words. The result does not refer to the original schema, since client generators do
 * not look behind a reference.
 */
export function requiring<S extends z.ZodRawShape>(
  { shape }: z.ZodObject<S>,
  ...names: readonly (keyof S & string)[]
): z.ZodObject<S> {
  const present = Object.fromEntries(
    names.map((name) => [
      name,
      (shape[name] as unknown as z.ZodType).meta({ override: withoutNull }),
    ]),
  );
  return z.object({ ...shape, ...present }).meta({
    override: ({ jsonSchema }: { jsonSchema: { required?: string[] } }): void => {
      jsonSchema.required = [...new Set([...(jsonSchema.required ?? []), ...names])];
    },
  });
}

const wholeNumberText = z.string().regex(/^(?:0|-?[1-9]\d{0,9})$/, 'Expected a whole number.');

/** A whole number that is sent as text, in a path or a query. */
export function wholeNumberIn(min: number, max: number) {
  return wholeNumberText
    .transform(Number)
    .pipe(z.number().int().min(min).max(max))
    .meta(shownAs({ type: 'integer', minimum: min, maximum: max }));
}

/**
 * Like `wholeNumberIn`, with a default. OpenAPI would not show a plain `.default()`, since text and
 * number differ in type.
 */
export function optionalWholeNumberIn(min: number, max: number, fallback: number) {
  return wholeNumberIn(min, max)
    .default(fallback)
    .meta(shownAs({ type: 'integer', minimum: min, maximum: max, default: fallback }));
}

/** The id in a path: a whole number of 32 bits. The service checks whether a record has it. */
export const PathId = wholeNumberIn(INT32_MIN, INT32_MAX).meta(
  shownAs({ type: 'integer', format: 'int32' }),
);

export const IdParams = z.object({ id: PathId });

export const AnswerId = z
  .int()
  .meta({ override: { type: 'integer', format: 'int32', minimum: 1 } });

export const AnswerMoment = z.int().meta({ description: 'Milliseconds since 1970.' });

/** The keys of an object, for `z.enum`. */
export const keysOf = <K extends string>(list: Readonly<Record<K, unknown>>): [K, ...K[]] =>
  Object.keys(list) as [K, ...K[]];

/** An id in a JSON body, also as text: old clients send it so. */
export const BodyId = z
  .union([z.number().int().min(INT32_MIN).max(INT32_MAX), PathId], {
    error: 'Expected a whole number.',
  })
  .meta(
    shownAs({ type: ['integer', 'string'], format: 'int32', pattern: '^(?:0|-?[1-9]\\d{0,9})$' }),
  );

export const QueryFlag = z
  .enum(['true', 'false'], { error: 'Expected true or false.' })
  .transform((text) => text === 'true')
  .meta(shownAs({ type: 'boolean' }));

/** Which records a list operation is about: `{"identifiers":[1,2]}`. */
export const Identifiers = z
  .object({ identifiers: z.array(BodyId).max(MOST_AT_ONCE) })
  .meta({ id: 'Identifiers' });

/** Example for a deletion: an id that no record has. */
export const NOBODY = { identifiers: [INT32_MAX] };
