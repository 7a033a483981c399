/** @jest-environment node */
import fc from 'fast-check';
import {
  execute,
  getOperationAST,
  GraphQLSchema,
  Kind,
  OperationTypeNode,
  parse,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import type { ExecutionArgs } from 'graphql';
import { Plans } from '../../src/platform/graphql/plans/plans';
import { encodeText } from '../../src/platform/graphql/plans/text';
import { answerDifference } from '../support/answer-difference';
import { fuzzedOperations } from '../support/fuzzed-operations';
import type { FuzzedOperation } from '../support/fuzzed-operations';
import { rounds } from '../support/rounds';
import { createFuzzedSchema, FUZZED_SDL, FuzzedWorld } from '../support/fuzzed-schema';

/** Returns the answer as JSON text. */
type Executor = (args: ExecutionArgs) => Promise<string>;

const SEEDS = [1, 2, 3];
const OPERATIONS = 500;

const graphqlJs: Executor = async (args) => {
  const { data, errors } = await execute(args);
  return JSON.stringify({ data, errors });
};

const schema = createFuzzedSchema();
const plans = new Plans(schema, Infinity);

const compiled: Executor = async (args) => {
  const { document, variableValues } = args;
  const operation = getOperationAST(document, args.operationName);
  // Such a request is refused before it is executed.
  if (!operation) return graphqlJs(args);
  const { data, errors } = await plans.execute({
    document,
    operation,
    variables: variableValues,
    context: args.contextValue,
    rootValue: args.rootValue,
    maxErrors: args.options?.maxCoercionErrors ?? 50,
    hideSuggestions: args.hideSuggestions ?? false,
  });
  const body = data && (await encodeText(data.text, Infinity));
  const text = typeof body === 'object' && body !== null ? Buffer.concat(body).toString() : body;
  const parts = [
    ...(text === undefined ? [] : [`"data":${text}`]),
    ...(errors === undefined ? [] : [`"errors":${JSON.stringify(errors)}`]),
  ];
  return `{${parts.join()}}`;
};

const nullable = createFuzzedSchema(FUZZED_SDL.replaceAll('!', ''));
const mutationAsQuery = new GraphQLSchema({
  ...schema.toConfig(),
  query: schema.getMutationType(),
});

/** Executors with a defect. */
const DEFECTS: Readonly<Record<string, Executor>> = {
  'ignores variables': (args) => graphqlJs({ ...args, variableValues: {} }),
  'lets nulls through': (args) => graphqlJs({ ...args, schema: nullable }),
  'ignores directives': (args) =>
    graphqlJs({ ...args, document: visit(args.document, { Directive: () => null }) }),
  'ignores type conditions': (args) =>
    graphqlJs({
      ...args,
      document: visit(args.document, {
        InlineFragment: (node) => ({ ...node, typeCondition: undefined }),
      }),
    }),
  'executes mutations concurrently': (args) => {
    const document = visit(args.document, {
      OperationDefinition: (node) => ({ ...node, operation: OperationTypeNode.QUERY }),
    });
    const isMutation = args.document.definitions.every(
      (one) =>
        one.kind !== Kind.OPERATION_DEFINITION || one.operation === OperationTypeNode.MUTATION,
    );
    return graphqlJs(isMutation ? { ...args, document, schema: mutationAsQuery } : args);
  },
  'executes twice': async (args) => {
    await execute(args);
    return graphqlJs(args);
  },
  'has other messages': async (args) =>
    (await graphqlJs(args)).replace('non-nullable field', 'non-null field'),
  'has other locations': (args) =>
    graphqlJs({ ...args, document: parse(` ${args.document.loc!.source.body}`) }),
};

/** Executes the operation with graphql-js and another executor, and describes the difference. */
async function difference(
  executor: Executor,
  operation: FuzzedOperation,
  seed: number,
  isSlow = false,
): Promise<string | undefined> {
  const { source, ...request } = operation;
  const worlds = [new FuzzedWorld(schema, seed), new FuzzedWorld(schema, seed, isSlow)];
  const [args, others] = worlds.map((world) => ({
    schema,
    document: parse(source),
    rootValue: world.root,
    contextValue: world,
    ...request,
  })) as [ExecutionArgs, ExecutionArgs];
  const expected = await graphqlJs(args);
  const found = answerDifference(expected, await executor(others));
  if (found !== undefined) return found;
  const isComplete = expected.startsWith('{"data"') && !('errors' in JSON.parse(expected));
  const [right, made] = worlds.map(({ order, calls }) =>
    isComplete
      ? [...order, ...calls.toSorted()].join('\n')
      : order.map((one) => one.split(' ')[0]).join('\n'),
  );
  return right === made ? undefined : `calls: ${made} instead of ${right}`;
}

const gate = (executor: Executor, isSlow = false) =>
  fc.asyncProperty(fuzzedOperations(schema), fc.noBias(fc.nat()), async (operation, seed) => {
    expect(await difference(executor, operation, seed, isSlow)).toBeUndefined();
  });

describe('execution by compiled plans', () => {
  it.each(SEEDS)('equals graphql-js for random operations, seed %i', (seed) =>
    fc.assert(gate(compiled), { seed, numRuns: rounds(OPERATIONS), endOnFailure: true }),
  );
  it.each(SEEDS)('does not depend on when resolvers settle, seed %i', (seed) =>
    fc.assert(gate(compiled, true), { seed: seed + 100, numRuns: 100, endOnFailure: true }),
  );
});

it.each(Object.entries(DEFECTS))(
  'the comparison fails if an executor %s',
  async (_name, defect) => {
    const run = await fc.check(gate(defect), { seed: 1, numRuns: OPERATIONS, endOnFailure: true });
    expect(run.failed).toBe(true);
  },
);

it('random operations are valid, and most return data', async () => {
  const operations = fc.sample(fuzzedOperations(schema), { seed: 1, numRuns: OPERATIONS });
  const answers = operations.map(async ({ source, ...request }, seed) => {
    const document = parse(source);
    expect(validate(schema, document, specifiedRules).map((one) => [one.message, source])).toEqual(
      [],
    );
    const world = new FuzzedWorld(schema, seed);
    const { root: rootValue } = world;
    return execute({ schema, document, rootValue, contextValue: world, ...request });
  });
  const results = await Promise.all(answers);
  const share = (isCounted: (result: (typeof results)[number]) => unknown) =>
    results.filter(isCounted).length / OPERATIONS;
  expect(share(({ data }) => data)).toBeGreaterThan(0.6);
  expect(share(({ errors }) => !errors)).toBeGreaterThan(0.3);
  expect(share(({ data, errors }) => data && errors)).toBeGreaterThan(0.2);
  expect(share(({ data }) => data === undefined)).toBeGreaterThan(0.05);
});
