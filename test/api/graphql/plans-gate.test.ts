/** @jest-environment node */
import fc from 'fast-check';
import {
  buildSchema,
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
import type { ExecutionArgs, GraphQLInterfaceType, GraphQLObjectType } from 'graphql';
import { deepFreeze } from '../../../src/platform/deep-freeze';
import { Plans } from '../../../src/platform/graphql/plans/plans';
import { answerDifference } from '../../support/graphql/answer-difference';
import { fuzzedOperations } from '../../support/graphql/fuzzed-operations';
import type { FuzzedOperation } from '../../support/graphql/fuzzed-operations';
import { rounds } from '../../support/rounds';
import { createFuzzedSchema, FUZZED_SDL, FuzzedWorld } from '../../support/graphql/fuzzed-schema';
import { longIt } from '../../support/long';

/** Returns the answer as JSON text. */
type Executor = (args: ExecutionArgs) => Promise<string>;

const SEEDS = [1, 2, 3];
const OPERATIONS = 500;

const graphqlJs: Executor = async (args) => {
  const { data, errors } = await execute(args);
  return JSON.stringify({ data, errors });
};

const schema = createFuzzedSchema();

const compiledBy =
  (plans: Plans): Executor =>
  async (args) => {
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
    const parts = [
      ...(data === undefined ? [] : [`"data":${data && data.text}`]),
      ...(errors === undefined ? [] : [`"errors":${JSON.stringify(errors)}`]),
    ];
    return `{${parts.join()}}`;
  };
const compiled = compiledBy(new Plans(schema, Infinity));

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
  const mismatch = answerDifference(expected, await executor(others));
  if (mismatch !== undefined) return mismatch;
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

longIt('random operations are valid, and most return data', async () => {
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

const RECORDS = buildSchema(`
  scalar Json
  interface Named { name: String }
  type Person implements Named { name: String, age: Int!, friend: Person, friends: [Person], notes: Json, pet: Named, group: String, names: [String!] }
  type Animal implements Named { name: String, age: Int }
  type Query { people: [Person], person: Person }
`);
(RECORDS.getType('Named') as GraphQLInterfaceType).resolveType = (value: object) =>
  'notes' in value ? 'Person' : 'Animal';
(RECORDS.getType('Person') as GraphQLObjectType).getFields()['group'].resolve = (
  _person,
  _args,
  { group }: { group: string },
) => group;
const SELECTIONS = [
  '{ people { name age } person { name age names } }',
  '{ people { name group friend { name age } } person { friends { name group } } }',
  '{ person { __typename pet { name ... on Person { age friends { name } } ... on Animal { age } } friends { notes } } }',
];

interface Person {
  name: unknown;
  notes: unknown;
  [field: string]: unknown;
}

/** Persons whose fields may fail. Some are frozen, completely or without what they contain, or have a getter. */
const people: fc.Arbitrary<Person> = fc.letrec<{ person: Person }>((tie) => ({
  person: fc
    .record({
      name: fc.oneof(fc.string(), fc.constant({})),
      age: fc.oneof(
        { weight: 9, arbitrary: fc.nat() },
        { weight: 1, arbitrary: fc.constant(null) },
      ),
      notes: fc.option(fc.record({ text: fc.string() })),
      names: fc.array(fc.string(), { maxLength: 2 }),
      friend: fc.option(tie('person'), { maxDepth: 3 }),
      friends: fc.option(fc.array(tie('person'), { maxLength: 3 }), { maxDepth: 2 }),
      pet: fc.option(fc.oneof(tie('person'), fc.record({ name: fc.string(), age: fc.nat() })), {
        maxDepth: 2,
      }),
      kind: fc.nat(5),
    })
    .map(({ kind, ...person }) => {
      if (kind === 0) return person;
      if (kind > 2) return deepFreeze(person);
      const { name } = person;
      if (kind === 1) Object.defineProperty(person, 'name', { get: () => name, enumerable: true });
      return Object.freeze(person);
    }),
})).person;

/** Changes what can be changed. */
function change(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) change(inner);
  if ('name' in value && !Object.isFrozen(value)) value.name = 'changed';
  if ('text' in value && !Object.isFrozen(value)) value.text = 'changed';
  if (Array.isArray(value) && !Object.isFrozen(value)) value.push(null);
}

describe('texts of frozen values', () => {
  it('equal those of graphql-js whenever they are written', () =>
    fc.assert(
      fc.asyncProperty(fc.array(people, { maxLength: 4 }), async (persons) => {
        const executor = compiledBy(new Plans(RECORDS, Infinity));
        const rootValue = { people: persons, person: persons[0] };
        const documents = SELECTIONS.map((source) => parse(source));
        for (const group of ['a', 'a', 'b', 'c']) {
          for (const document of documents) {
            const args = { schema: RECORDS, document, rootValue, contextValue: { group } };
            expect(answerDifference(await graphqlJs(args), await executor(args))).toBeUndefined();
          }
          if (group === 'b') change(rootValue);
        }
      }),
      { numRuns: rounds(300), endOnFailure: true },
    ));
});
