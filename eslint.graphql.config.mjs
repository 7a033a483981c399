import graphql from '@graphql-eslint/eslint-plugin';

const SCHEMA = 'schema/schema.graphql';
const OPERATIONS = [
  'test/operations/**/*.graphql',
  'dashboard/operations/**/*.graphql',
  'examples/**/*.graphql',
];
const own = (rules) =>
  Object.fromEntries(
    Object.entries(rules).map(([name, options]) => [`@graphql-eslint/${name}`, options]),
  );

/** The schema, and the operations written against it: `npm run check:graphql`. By itself, since nothing else has to wait for it. */
export default [
  {
    files: ['**/*.graphql'],
    plugins: { '@graphql-eslint': graphql },
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: SCHEMA, documents: OPERATIONS } },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
  {
    files: [SCHEMA],
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      ...own({
        // Connections offer `nodes` beside `edges`, and short lists are lists.
        'relay-edge-types': [
          'error',
          { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
        ],
        // Events and logs are read from their start only.
        'relay-arguments': ['error', { includeBoth: false }],
        'require-description': [
          'error',
          {
            types: true,
            rootField: true,
            DirectiveDefinition: true,
            EnumValueDefinition: true,
            FieldDefinition: true,
            InputValueDefinition: true,
          },
        ],
        'input-name': ['error', { checkInputType: false, checkMutations: true }],
        'no-scalar-result-type-on-mutation': 'error',
        // It asks every type for an `id`. Here a type has one exactly if it is a Node, which test/api/graphql/graphql-ids.test.ts holds.
        'strict-id-in-types': 'off',
        // An id of a thing that is no Node carries the name of the thing, `sessionId`: the same word in `Session`, in inputs and in payloads.
        'no-typename-prefix': 'off',
      }),
    },
  },
  {
    files: OPERATIONS,
    rules: {
      ...graphql.configs['flat/operations-recommended'].rules,
      ...own({
        // It asks for `id` in every selection: a rule for applications with a cache, and these are tests and examples.
        'require-selections': 'off',
      }),
    },
  },
];
