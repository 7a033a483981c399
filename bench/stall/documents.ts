const MEBIBYTE = 1024 * 1024;

const times = (count: number, text: (nth: number) => string, separator = ','): string =>
  Array.from({ length: Math.max(1, Math.floor(count)) }, (_, nth) => text(nth)).join(separator);
/** A JSON list of about `bytes` bytes, with at most the allowed number of values. */
const list = (entry: string, bytes: number, valuesOfEntry: number): string =>
  `[${times(Math.min(bytes / (entry.length + 1), 990_000 / valuesOfEntry), () => entry)}]`;

const STEP = JSON.stringify({
  id: 'abc',
  name: 'step number seven',
  request: {
    method: 'GET',
    header: { Accept: 'application/json' },
    body: { fields: { a: 1, b: [1, 2, 3], c: { d: 'e' } } },
  },
});

/** JSON values that are dear to read, by about how many bytes they have. */
export const JSON_VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  'lists, 90 deep': (bytes) => list('['.repeat(90) + ']'.repeat(90), bytes, 91),
  'empty lists': (bytes) => list('[]', bytes, 2),
  'objects of every shape': (bytes) =>
    `[${times(Math.min(bytes / 12, 490_000), (nth) => `{"${nth.toString(36)}":1}`)}]`,
  names: (bytes) =>
    list(
      `{${times(Math.min(bytes / 10, 29_000), (nth) => `"${nth.toString(36)}":1`)}}`,
      bytes,
      29_000,
    ),
  'names in each other': (bytes) => {
    const names = `"m":1,${times(Math.min(bytes / 90 / 10, 10_000), (nth) => `"${nth.toString(36)}":1`)}`;
    return `${`{"a":`.repeat(89)}1${`,${names}}`.repeat(89)}`;
  },
  numbers: (bytes) => list('1.7976931348623157e308', bytes, 1),
  'long numbers': (bytes) => list(`0.${'1'.repeat(300)}`, bytes, 1),
  'texts with escapes': (bytes) => `["${'\\u0041'.repeat(bytes / 6)}"]`,
  'short texts': (bytes) => list('"a"', bytes, 1),
  'one text': (bytes) => `"${'a'.repeat(bytes)}"`,
  'combining marks': (bytes) => `"${'\u0301\u0323'.repeat(bytes / 4)}"`,
  steps: (bytes) => list(STEP, bytes, 17),
  'names of secrets': (bytes) => list('{"password":"***","token":{"a":["***"]}}', bytes, 6),
  'JSON that breaks off': (bytes) => list('[{"a":[1,"b"]}]', bytes, 6).slice(0, -1),
};

/** Pieces of an address that look like what the masks look for. */
export const QUERY_PIECES = [
  'a',
  'token=',
  '&a=',
  '=',
  '%2',
  '%25',
  'eyJ-',
  'eyJabcdef.',
  'Bearer%20',
  'a://b:c',
  '://',
  '+',
  '.a',
];

const repeat = (count: number, text: (nth: number) => string): string => times(count, text, ' ');

/** GraphQL documents by about how many characters they have. */
export const GRAPHQL_DOCUMENTS: Readonly<Record<string, (characters: number) => string>> = {
  'chained fragments': (size) =>
    `{ ...F0 } ${repeat(size / 34, (nth) => `fragment F${nth} on Query{...F${nth + 1}}`)}`,
  'fragments in a circle': (size) =>
    `{ ...F0 } ${repeat(size / 40, (nth) => `fragment F${nth} on Query{...F${nth + 1} ...F0}`)}`,
  fields: (size) => `{ ${repeat(size / 10, () => '__typename')} }`,
  aliases: (size) => `{ ${repeat(size / 18, (nth) => `a${nth}: __typename`)} }`,
  'unknown fields': (size) => `{ ${repeat(size / 8, (nth) => `usrs${nth}`)} }`,
  'lists in each other': (size) =>
    `{ users(filter: ${'['.repeat(size / 2)}${']'.repeat(size / 2)}) { totalCount } }`,
  'selections in each other': (size) => `${'{ users '.repeat(size / 10)}${'} '.repeat(size / 10)}`,
  'a long list': (size) =>
    `{ users(filter: { id: { in: [${repeat(size / 2, () => '1')}] } }) { totalCount } }`,
  'a block text': (size) => `{ users(search: """${' x\n'.repeat(size / 3)}""") { totalCount } }`,
  'a comment': (size) => `{ nosuch } #${'x'.repeat(size)}`,
  lines: (size) => `${'\n'.repeat(size)}{ nosuch }`,
  'a name': (size) => `{ ${'x'.repeat(size)} }`,
  variables: (size) => `query(${repeat(size / 12, (nth) => `$v${nth}: Int`)}) { __typename }`,
};

const framed = (head: Buffer, unit: Buffer, bytes: number, tail: Buffer): Buffer =>
  Buffer.concat([
    head,
    ...Array<Buffer>(
      Math.max(1, Math.floor((bytes - head.length - tail.length) / unit.length)),
    ).fill(unit),
    tail,
  ]);

/** Images of very many very small parts. */
export const IMAGES: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'PNG of empty chunks': (bytes) =>
    framed(
      Buffer.from(
        '89504e470d0a1a0a0000000d4948445200000001000000010800000000000000000000000049444154000000000',
        'hex',
      ),
      Buffer.from('0000000074455874aaaaaaaa', 'hex'),
      bytes,
      Buffer.from('0000000049454e44ae426082', 'hex'),
    ),
  'GIF of one-byte blocks': (bytes) =>
    framed(
      Buffer.from('47494638396101000100000000002c000000000100010000 02'.replace(' ', ''), 'hex'),
      Buffer.from('0155', 'hex'),
      bytes,
      Buffer.from('003b', 'hex'),
    ),
  'GIF of empty extensions': (bytes) =>
    framed(
      Buffer.from('47494638396101000100000000', 'hex'),
      Buffer.from('21fe00', 'hex'),
      bytes,
      Buffer.from('3b', 'hex'),
    ),
  'JPEG of empty segments': (bytes) =>
    framed(
      Buffer.from('ffd8ffc0000b080008000801011100', 'hex'),
      Buffer.from('fffe0002', 'hex'),
      bytes,
      Buffer.from('ffda0008010100003f003fffd9', 'hex'),
    ),
  'WebP of empty chunks': (bytes) => {
    const image = framed(
      Buffer.from('524946460000000057454250', 'hex'),
      Buffer.from('4558494600000000', 'hex'),
      bytes,
      Buffer.alloc(0),
    );
    image.writeUInt32LE(image.length - 8, 4);
    return image;
  },
};

export const SMALL = MEBIBYTE - 4_096;
/** A body without a token. */
export const OPEN = 60 * 1024;
/** A workflow. */
export const DOCUMENT = 4 * MEBIBYTE - 65_536;
/** A file. */
export const LARGE = 20 * MEBIBYTE - 65_536;
