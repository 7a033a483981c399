import { Field, InputType } from 'type-graphql';
import type { GraphQLScalarType } from 'graphql';

export type Class<T> = abstract new () => T;

/** A scalar, an enum of `enumOf`, or an input type; in brackets: a list of it. */
type InputFieldType = object | readonly [object];

class Optional<T extends InputFieldType = InputFieldType> {
  constructor(readonly type: T) {}
}

/** The type of a field that may be null or missing. */
export const optional = <const T extends InputFieldType>(type: T): Optional<T> =>
  new Optional(type);

/** GraphQL type, description, and the value if it is missing. */
type InputField = readonly [type: InputFieldType | Optional, description: string, fallback?: unknown];
type InputFields = Readonly<Record<string, InputField>>;

type Value<T> = T extends StringConstructor
  ? string
  : T extends BooleanConstructor
    ? boolean
    : T extends GraphQLScalarType<infer V, unknown>
      ? V
      : T extends readonly [infer E]
        ? Value<E>[]
        : T extends Class<infer V>
          ? V
          : T extends Readonly<Record<string, infer V>>
            ? V
            : never;

type Values<F extends InputFields> = {
  readonly [K in keyof F as F[K][0] extends Optional ? never : K]: Value<F[K][0]>;
} & {
  readonly [K in keyof F as F[K][0] extends Optional ? K : never]?: F[K][0] extends Optional<infer T>
    ? Value<T> | null
    : never;
};

/** Declares a field of a type that is created by a function. Default: it may be null. */
export function addField(
  type: Class<object>,
  name: string,
  of: () => object,
  description: string,
  { nullable = true, defaultValue }: { nullable?: boolean; defaultValue?: unknown } = {},
): void {
  Field(of, { nullable, description, defaultValue })(type.prototype as object, name);
}

/**
 * Creates an input type; its TypeScript type is derived from the GraphQL types of the fields.
 * @param fields `{ name: [String, 'The name.'], ids: [optional([ID]), 'Default: all.'] }`
 * @param base type whose fields it has as well
 */
export function inputType<const F extends InputFields, B extends object = object>(
  name: string,
  description: string,
  fields: F,
  base?: Class<B>,
): new () => Values<F> & B {
  const type = class extends ((base ?? Object) as new () => object) {};
  for (const [field, [of, text, fallback]] of Object.entries(fields)) {
    const nullable = of instanceof Optional;
    addField(type, field, () => (nullable ? of.type : of), text, { nullable, defaultValue: fallback });
  }
  InputType(name, { description })(type);
  return type as new () => Values<F> & B;
}
