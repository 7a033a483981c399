import {
  assertValidSchema, DirectiveLocation, getNamedType, GraphQLDirective, GraphQLNonNull, GraphQLString, lexicographicSortSchema, specifiedDirectives,
} from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { buildSchemaSync, getMetadataStorage } from 'type-graphql';
import { fillDefaultPages } from './default-page';
import { guardFields } from './guard-fields';
import { NEEDS } from './needs';
import { fillNodeFields, NodeResolver } from './node';
import { describeArguments, handOverArguments } from './plain-arguments';
import { DateTime } from './scalars';

const needsDirective = new GraphQLDirective({
  name: NEEDS,
  description: 'What the caller must be allowed to do. `public` and `authenticated` ask for no permission, `admin` for the group Admin.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: { permission: { type: new GraphQLNonNull(GraphQLString), description: 'Component and action.' } },
});

const ROOT_DESCRIPTIONS = {
  Query: 'What can be read.',
  Mutation: 'What can be changed. Each takes one `input` and says in `userErrors` why it changed nothing.',
  Subscription: 'What can be watched, over a WebSocket with the subprotocol `graphql-transport-ws`.',
} as const;

/** type-graphql asks for one although every subscription of ours brings its own events. */
const NO_PUBSUB = {
  publish: (): never => { throw new Error('Events go over the bus.'); },
  subscribe: (): never => { throw new Error('A subscription needs a `subscribe` of its own.'); },
};

/** A class that type-graphql decorated. */
export type ResolverClass = abstract new (...parameters: never[]) => object;

/**
 * Builds the guarded schema of these resolvers and `node`.
 * @throws Error a root field declares no need, or the classes do not make a schema
 */
export function buildGraphqlSchema(resolverClasses: readonly ResolverClass[]): GraphQLSchema {
  describeArguments();
  prepareMetadata();
  const schema = buildSchemaSync({
    resolvers: [NodeResolver, ...resolverClasses],
    validate: false,
    // A whole introspection at each start. What it would find is found below.
    skipCheck: true,
    pubSub: NO_PUBSUB,
    scalarsMap: [{ type: Date, scalar: DateTime }],
    directives: [...specifiedDirectives, needsDirective],
  });
  handOverArguments();
  for (const type of [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]) {
    if (type) type.description = ROOT_DESCRIPTIONS[type.name as keyof typeof ROOT_DESCRIPTIONS];
  }
  describeInputs(schema);
  fillNodeFields(schema);
  fillDefaultPages(schema);
  guardFields(schema);
  assertValidSchema(schema);
  return schema;
}

/** The one `input` of a mutation says what its type says, where it says nothing itself. */
function describeInputs(schema: GraphQLSchema): void {
  for (const { args } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    for (const argument of args) argument.description ||= getNamedType(argument.type).description;
  }
}

/** The SDL: sorted, so that a diff shows only what changed, with the needs as directives. */
export function printSchema(schema: GraphQLSchema): string {
  // Late: a running service prints no SDL.
  const { printSchemaWithDirectives } = require('@graphql-tools/utils') as typeof import('@graphql-tools/utils');
  return printSchemaWithDirectives(lexicographicSortSchema(schema));
}

/**
 * Two costs of type-graphql that nothing here needs, measured in an earlier study: a wrapper around every plain property, and a copy of
 * the parent object at each `@Root()`. A field with middleware or roles keeps its wrapper, since that is where they run.
 */
function prepareMetadata(): void {
  const { fields, params, middlewares, resolverMiddlewares, authorizedFields, authorizedResolver } = getMetadataStorage();
  const wrapped = [...middlewares, ...authorizedFields];
  for (const field of fields) {
    const needsWrapper = field.name !== field.schemaName
      || [...resolverMiddlewares, ...authorizedResolver].some(({ target }) => target === field.target)
      || wrapped.some(({ target, fieldName }) => target === field.target && fieldName === field.name);
    if (!needsWrapper) field.simple = true;
  }
  for (const param of params) if (param.kind === 'root') param.getType = undefined;
}
