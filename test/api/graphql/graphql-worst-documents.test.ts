/** @jest-environment node */
import { testLibrary } from '../../support/graphql/open-library';

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');

/** Expensive documents by size. */
const SHAPES: Readonly<Record<string, (size: number) => string>> = {
  'a chain of fragments': (size) =>
    `{ ...F0 } ${repeat(size, (index) => `fragment F${index} on Query{...F${index + 1}}`)} fragment F${size} on Query{open}`,
  'diamonds of fragments': (size) =>
    `{ ...F0 } ${repeat(size, (index) => `fragment F${index} on Query{...F${index + 1} ...F${index + 1}}`)} fragment F${size} on Query{open}`,
  'unused fragments': (size) =>
    `{ open } ${repeat(size, (index) => `fragment F${index} on Well{depth down{...F${(index + 1) % size}}}`)}`,
  'fragments in a circle': (size) =>
    `{ well { ...F0 } } ${repeat(size, (index) => `fragment F${index} on Well{depth ...F${(index + 1) % size} ...F0}`)}`,
  'one field with selections again and again': (size) =>
    `{ well { ${repeat(size, () => 'down { depth }')} } }`,
  'aliases that clash': (size) =>
    `{ well { ${repeat(size, (index) => `a: ${index % 2 ? 'depth' : 'down { depth }'}`)} } }`,
  'unknown directives': (size) => `{ open ${repeat(size, (index) => `@d${index}`)} }`,
  operations: (size) =>
    repeat(size, (index) => `query Q${index} { open ...F }`) +
    ` fragment F on Query { ${repeat(size, () => 'open')} }`,
  variables: (size) => `query (${repeat(size, (index) => `$v${index}: [[JSON]]`)}) { open }`,
  arguments: (size) => `{ echo(${repeat(size, (index) => `value: ${index}`)}) }`,
  'unknown arguments': (size) => `{ echo(${repeat(size, (index) => `valuf${index}: ${index}`)}) }`,
  'unknown fields': (size) => `{ well { ${repeat(size, (index) => `depht${index}`)} } }`,
  'inline fragments in each other': (size) =>
    `{ ${'... { '.repeat(size)} open ${'} '.repeat(size)} }`,
  'objects in each other': (size) =>
    `{ books(genre: ${'{eq: '.repeat(size)}NOVEL${'}'.repeat(size)}) { totalCount } }`,
  'types in each other': (size) => `query ($v: ${'['.repeat(size)}Int${']'.repeat(size)}) { open }`,
  'a long list': (size) =>
    `{ books(genre: {in: [${repeat(size, () => 'NOVELL')}]}) { totalCount } }`,
  'a long text': (size) => `{ echo(value: "${'\\u00e9'.repeat(size * 20)}") }`,
  'a long block of lines': (size) => `{ echo(value: """${' x\n'.repeat(size * 20)}""") }`,
  'a long name': (size) => `{ ${'x'.repeat(size * 100)} }`,
  'many lines and faults': (size) =>
    `${'\n'.repeat(size * 3)} { ${repeat(20, (index) => `f${index}: fault`)} }`,
  introspection: (size) =>
    `{ __schema { types { ${'fields { type { '.repeat(size)} name ${'} } '.repeat(size)} } } }`,
  'introspection by fragments': (size) =>
    `{ ${repeat(20, (index) => `a${index}: __schema { ...F0 }`)} } ${repeat(size, (index) => `fragment F${index} on __Schema { ...F${index + 1} ...F${index + 1} }`)} fragment F${size} on __Schema { __typename }`,
};

describe('a WebSocket', () => {
  const library = testLibrary();
  let token: string;
  beforeAll(async () => {
    token = library.signIn('reader', ['USER:READ']);
  });
  it('stays open after the most expensive documents of each kind', async () => {
    const client = await library.connect({ init: { token } });
    for (const [name, shape] of Object.entries(SHAPES)) {
      expect((await client.ask(name, shape(1_200)))?.errors?.[0].extensions.code ?? 'none').toMatch(
        /^(QUERY_TOO_COMPLEX|GRAPHQL_VALIDATION_FAILED|GRAPHQL_PARSE_FAILED|OPERATION_RESOLUTION_FAILURE|INTERNAL_SERVER_ERROR|none)$/,
      );
    }
    expect((await client.ask('last', '{ open }')).data).toEqual({ open: 'come in' });
  });
});
