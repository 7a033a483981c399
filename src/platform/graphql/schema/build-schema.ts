import {
  assertValidSchema,
  defaultFieldResolver,
  DirectiveLocation,
  getNamedType,
  GraphQLDirective,
  GraphQLNonNull,
  GraphQLString,
  isInterfaceType,
  isObjectType,
  lexicographicSortSchema,
  specifiedDirectives,
} from 'graphql';
import type {
  GraphQLField,
  GraphQLFieldResolver,
  GraphQLSchema,
  GraphQLTypeResolver,
} from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { addPermissionChecks } from './permission-checks';
import { NEEDS } from './needs';
import { fillNodeFields, NodeResolver } from './node';
import { DateTime } from './scalars';
import type { GraphqlContext } from '../../context';

type Parameter = ReturnType<typeof getMetadataStorage>['params'][number];
type Described = Extract<Parameter, { kind: 'arg' | 'args' }>;
type Custom = Extract<Parameter, { kind: 'custom' }>;

/** The descriptions of the parameters that `handOverArguments` changes. */
const described = new Map<Parameter, Described>();

/** Restores the descriptions of parameters, from which type-graphql builds a schema. */
function describeArguments(): void {
  for (const [parameter, before] of described) Object.assign(parameter, before);
}

/**
 * Passes arguments to resolvers as graphql-js made them. Otherwise type-graphql copies each one
 * into instances of its classes at every call: an argument of 20,000 values on a field of 100 rows
 * would be two million copies. Input classes have only fields.
 */
function handOverArguments(): void {
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

type Arguments = Record<string, unknown>;
type Resolve = GraphQLFieldResolver<unknown, GraphqlContext, Arguments>;

/**
 * Adds the default page size of the context to lists requested without `first` and `last`. Changes
 * the schema in place.
 */
function fillDefaultPages(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    for (const field of Object.values(
      type.getFields() as Readonly<
        Record<string, GraphQLField<unknown, GraphqlContext, Arguments>>
      >,
    )) {
      const names = field.args.map(({ name }) => name);
      if (names.includes('first') && names.includes('after'))
        field.resolve = paged(field.resolve ?? defaultFieldResolver);
    }
  }
}

function paged(resolve: Resolve): Resolve {
  return (root, args, context, info) =>
    resolve(
      root,
      args.first == null && args.last == null ? { ...args, first: context.defaultPage } : args,
      context,
      info,
    );
}

const needsDirective = new GraphQLDirective({
  name: NEEDS,
  description:
    'What the caller must be allowed to do. `public` and `authenticated` ask for no permission, `admin` for the group Admin.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    permission: { type: new GraphQLNonNull(GraphQLString), description: 'Component and action.' },
  },
});

const ROOT_DESCRIPTIONS = {
  Query: 'What can be read.',
  Mutation:
    'What can be changed. Each takes one `input` and says in `userErrors` why it changed nothing.',
  Subscription:
    'What can be watched, over a WebSocket with the subprotocol `graphql-transport-ws`.',
} as const;

/** type-graphql requires one, although every subscription here has its own events. */
const NO_PUBSUB = {
  publish: (): never => {
    throw new Error('Events go over the bus.');
  },
  subscribe: (): never => {
    throw new Error('A subscription needs a `subscribe` of its own.');
  },
};

/** A class that type-graphql decorated. */
export type ResolverClass = abstract new (...parameters: never[]) => object;

/**
 * Builds the schema of these resolvers and `node`, with permission checks.
 * @throws Error a root field declares no need, or the classes do not make a valid schema
 */
export function buildGraphqlSchema(resolverClasses: readonly ResolverClass[]): GraphQLSchema {
  describeArguments();
  prepareMetadata();
  const schema = buildSchemaSync({
    resolvers: [NodeResolver, ...resolverClasses],
    validate: false,
    // Saves an introspection at each start; `assertValidSchema` below finds the same errors.
    skipCheck: true,
    pubSub: NO_PUBSUB,
    scalarsMap: [{ type: Date, scalar: DateTime }],
    directives: [...specifiedDirectives, needsDirective],
  });
  handOverArguments();
  requireResolvers(schema, resolverClasses);
  for (const type of [
    schema.getQueryType(),
    schema.getMutationType(),
    schema.getSubscriptionType(),
  ]) {
    if (type) type.description = ROOT_DESCRIPTIONS[type.name as keyof typeof ROOT_DESCRIPTIONS];
  }
  describeInputs(schema);
  fillNodeFields(schema);
  resolveTypesAtOnce(schema);
  fillDefaultPages(schema);
  addPermissionChecks(schema);
  assertValidSchema(schema);
  return schema;
}

/**
 * Checks that no method of a resolver class got lost, which would return a property unguarded, and
 * that none takes `info`, since its result may be used at several places of an answer.
 */
function requireResolvers(schema: GraphQLSchema, resolverClasses: readonly ResolverClass[]): void {
  const { objectTypes, params, ...metadata } = getMetadataStorage();
  // Metadata is shared by all schemas of a process.
  const fieldResolvers = metadata.fieldResolvers.filter(
    ({ kind, target }) =>
      kind === 'internal' ||
      resolverClasses.some((one) => one === target || one.prototype instanceof target),
  );
  const classOf = ({ kind, target, getObjectType }: (typeof fieldResolvers)[number]): unknown =>
    kind === 'internal' ? target : getObjectType?.();
  const lost = fieldResolvers.flatMap((field) => {
    const type = schema.getType(objectTypes.find((one) => one.target === classOf(field))?.name ?? '');
    const { resolve } = (isObjectType(type) && type.getFields()[field.schemaName]) || {};
    return isObjectType(type) && !resolve ? [`${type.name}.${field.schemaName}`] : [];
  });
  const informed = params
    .filter(({ kind }) => kind === 'info')
    .map(({ target, methodName }) => `${target.name}.${methodName}`);
  if (lost.length > 0)
    throw new Error(`These fields have lost their resolvers: ${lost.join(', ')}.`);
  if (informed.length > 0)
    throw new Error(`These resolvers take \`info\`, which is not supported: ${informed.join(', ')}.`);
}

/**
 * Names the types of objects without a promise: type-graphql makes several for each object, which cost
 * more than half of an answer with 500 objects of an interface.
 */
function resolveTypesAtOnce(schema: GraphQLSchema): void {
  for (const { name, resolveType } of getMetadataStorage().interfaceTypes) {
    const type = schema.getType(name);
    if (isInterfaceType(type) && resolveType)
      type.resolveType = resolveType as GraphQLTypeResolver<unknown, unknown>;
  }
}

/** Describes the `input` of a mutation by its type, if it has no description. */
function describeInputs(schema: GraphQLSchema): void {
  for (const { args } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    for (const argument of args) argument.description ||= getNamedType(argument.type).description;
  }
}

/** The SDL: sorted, so that a diff shows only what changed, with the needs as directives. */
export function printSchema(schema: GraphQLSchema): string {
  // Loaded here because a running service prints no SDL.
  const { printSchemaWithDirectives } =
    require('@graphql-tools/utils') as typeof import('@graphql-tools/utils');
  return printSchemaWithDirectives(lexicographicSortSchema(schema));
}

/**
 * Avoids two measured costs of type-graphql that nothing here needs: a wrapper around every plain
 * property, and a copy of the parent object at each `@Root()`. A field with middleware or roles
 * keeps its wrapper, which runs them.
 */
function prepareMetadata(): void {
  const { fields, params, middlewares, resolverMiddlewares, authorizedFields, authorizedResolver } =
    getMetadataStorage();
  const wrapped = [...middlewares, ...authorizedFields];
  for (const field of fields) {
    const needsWrapper =
      field.name !== field.schemaName ||
      [...resolverMiddlewares, ...authorizedResolver].some(
        ({ target }) => target === field.target,
      ) ||
      wrapped.some(({ target, fieldName }) => target === field.target && fieldName === field.name);
    if (!needsWrapper) field.simple = true;
  }
  for (const param of params) if (param.kind === 'root') param.getType = undefined;
}
