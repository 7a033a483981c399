import { getMetadataStorage } from 'type-graphql';

type Parameter = ReturnType<typeof getMetadataStorage>['params'][number];
type Described = Extract<Parameter, { kind: 'arg' | 'args' }>;
type Custom = Extract<Parameter, { kind: 'custom' }>;

/** What type-graphql knew of the parameters that are handed over as they come. */
const described = new Map<Parameter, Described>();

/** Parameters as type-graphql describes a schema by them. */
export function describeArguments(): void {
  for (const [parameter, before] of described) Object.assign(parameter, before);
}

/**
 * Hands arguments to resolvers as graphql-js made them. Left to itself type-graphql copies each one into instances of its classes at
 * every call: an argument of 20,000 values on a field of 100 rows, or under 20 aliases, would be two million copies. No input class has
 * anything but fields.
 */
export function handOverArguments(): void {
  for (const parameter of getMetadataStorage().params) {
    if (parameter.kind !== 'arg' && parameter.kind !== 'args') continue;
    const before = { ...parameter };
    described.set(parameter, before);
    const plain: Pick<Custom, 'kind' | 'options' | 'resolver'> = {
      kind: 'custom',
      options: {},
      resolver: ({ args }) => (before.kind === 'arg' ? args[before.name] : args) as unknown,
    };
    Object.assign(parameter, plain);
  }
}
