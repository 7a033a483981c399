import fc from 'fast-check';

/** Both ends of every secret value: half a secret is a leak, too. */
export const MARK = 'S3CR3T';

const text = fc
  .oneof(
    fc.string({ maxLength: 12 }),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom(
      '',
      '"',
      "'",
      '\\',
      '&',
      '=',
      ': ',
      '\n',
      '{',
      '}',
      ']',
      '<',
      '>',
      '%',
      '?',
      '{%',
      '#',
      '***',
      ',',
      ';',
      '//',
    ),
  )
  .filter((value) => value.isWellFormed() && !value.includes('\0'));
/** A value that is hidden from users who may not update the workflow. */
export const secret = text.map((value) => `${MARK}${value}${MARK}`);
const secretName = fc.constantFrom(
  'password',
  'Passwort',
  'api_key',
  'accessToken',
  'client_secret',
  'X-Auth-Token',
  'userPin',
  'PASSWD',
  'private-key',
  'jwt',
  'credentials',
  'sessionId',
);
const plainName = fc.constantFrom(
  'user',
  'id',
  'a.b',
  '$set',
  'title',
  'pinned',
  'constructor',
  'tokenType',
  'ü',
  'list',
  'value2',
);
const plainValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1.5,
    '',
    'plain',
    'a: b',
    'x=1&y=2',
    '#FFCFB5.(response).body.a',
    '{%#FFCFB5.(response).body.b%}',
  ),
  fc.integer(),
);
const reference = fc.constantFrom(
  '{%#FFCFB5.(response).body.token%}',
  '{%secret.token%}',
  'Bearer {%secret.Git-Hub_1%}',
  '${pin}',
  '{token}',
  '#FFCFB5.(response).body.a[0].b',
  '{%#FFCFB5.(response).status%};{token}',
);

/** Fields with secrets at any depth. */
export const fields = fc.letrec<{ tree: unknown; hidden: unknown }>((tie) => ({
  hidden: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    secret,
    reference,
    fc.constantFrom<unknown>(null, true),
    fc.dictionary(plainName, tie('hidden'), { maxKeys: 3 }),
    fc.array(tie('hidden'), { maxLength: 3 }),
  ),
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    plainValue,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .tuple(
        fc.dictionary(plainName, tie('tree'), { maxKeys: 3 }),
        fc.dictionary(secretName, tie('hidden'), { maxKeys: 2 }),
      )
      .map(([plain, hidden]) => ({ ...plain, ...hidden })),
  ),
})).tree;

const pairs = fc.array(
  fc.oneof(
    fc.tuple(secretName, secret),
    fc.tuple(fc.constantFrom('user', 'page', 'q'), fc.constantFrom('1', 'a b', 'ü')),
  ),
  { maxLength: 5 },
);
const form = pairs.map((list) => new URLSearchParams(list).toString());
const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const xml = pairs.map(
  (list) =>
    `<r>${list.map(([name, value]) => `<${name} type="x">${escaped(value)}</${name}>`).join('\n')}</r>`,
);
/** The same as request texts. */
export const sentText = fc.oneof(
  fields.map((tree) => JSON.stringify(tree)),
  fields.map((tree) => JSON.stringify(tree, null, 2)),
  fields.map((tree) => JSON.stringify({ message: JSON.stringify({ inner: tree }) })),
  form,
  xml,
);
export const sentUrl = fc
  .tuple(fc.boolean(), form)
  .map(
    ([hasUser, query]) =>
      `https://${hasUser ? `me:${MARK}1${MARK}@` : ''}remote.test/a/{%#FFCFB5.(response).body.id%}?${query}`,
  );

const header = fc
  .dictionary(
    fc.constantFrom('Accept', 'content-type', 'Authorization', 'X-Api-Key', 'X-Whatever', 'Cookie'),
    fc.nat(),
    { maxKeys: 4 },
  )
  .chain((names) =>
    fc.record(
      Object.fromEntries(
        Object.keys(names).map((name) => [
          name,
          /^(accept|content-type)$/i.test(name)
            ? fc.constant('text/plain')
            : fc.oneof(secret, reference),
        ]),
      ),
    ),
  );

const step = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  name: fc.constantFrom('read', 'write'),
  request: fc.record({
    endpoint: sentUrl,
    method: fc.constant('POST'),
    header,
    body: fc.record({
      type: fc.constant('object'),
      format: fc.constant('json'),
      fields: fc.oneof(fields, sentText),
    }),
  }),
  response: fc.constant(null),
});

/** Methods with secrets in every part of a request; some share an id, as unfinished workflows do. */
export const methods = fc.array(step, { minLength: 1, maxLength: 4 });
