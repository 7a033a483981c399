import fc from 'fast-check';
import { splitCommand } from '../../../src/features/workflows/curl/shell-words';
import { rounds } from '../../support/rounds';
import { testService } from '../../support/service/harness';

const service = testService();

const QUERY = `query($command: String!) { requestFromCurl(command: $command) {
  httpMethod url header body { format data fields } warnings } }`;
const request = (command: string): Promise<any> => service.field(QUERY, { command });

const ANSI: Record<string, string> = { '\n': String.raw`\n`, "'": String.raw`\'`, '\\': '\\\\' };
const QUOTES: readonly ((text: string) => string)[] = [
  (text) => `'${text.replace(/'/g, String.raw`'\''`)}'`,
  (text) => `"${text.replace(/["\\$\`]/g, String.raw`\$&`)}"`,
  (text) => `$'${text.replace(/[\n'\\]/g, (one) => ANSI[one] ?? one)}'`,
  (text) =>
    `$'${[...text].map((one) => `\\U${one.codePointAt(0)?.toString(16).padStart(8, '0')}`).join('')}'`,
  (text) => [...text].map((one) => (one === '\n' ? "'\n'" : `\\${one}`)).join(''),
];

it('words are what bash makes of any quoting', () => {
  const part = fc.record({
    text: fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.isWellFormed()),
    quote: fc.constantFrom(...QUOTES),
  });
  const gap = fc.constantFrom(' ', '  ', ' \\\n  ', '\t', ' \\\r\n ');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.array(part, { minLength: 1, maxLength: 3 }), gap)),
      (words) => {
        const written = words.map(
          ([parts, after]) => parts.map(({ text, quote }) => quote(text)).join('') + after,
        );
        expect(splitCommand(written.join('')).words.map(({ text }) => text)).toEqual(
          words.map(([parts]) => parts.map(({ text }) => text).join('')),
        );
      },
    ),
    { numRuns: rounds(500) },
  );
});

it('requestFromCurl reads a request as Chrome copies it for bash', async () => {
  expect(
    await request(`curl 'https://board.example.com/cards?x=1' \\
  -H 'accept: */*' \\
  -H 'Accept-Encoding: gzip, br' \\
  -H 'content-type: application/json' \\
  -b 'session=abc; theme=dark' \\
  --data-raw $'{"title":"It\\'s \\u0021","n":1}' \\
  --compressed --insecure`),
  ).toEqual({
    httpMethod: 'POST',
    url: 'https://board.example.com/cards?x=1',
    header: { accept: '*/*', Cookie: 'session=abc; theme=dark' },
    body: { format: 'json', data: 'raw', fields: { title: "It's !", n: 1 } },
    warnings: [
      'The header Cookie contains a secret. Store it as a named secret, and use it as {%secret.NAME%}.',
      '--insecure is ignored: a step checks certificates. A connector can turn that off.',
    ],
  });
});

it('requestFromCurl reads a request as Chrome copies it for Windows', async () => {
  const { url, body } = await request(
    'curl ^"https://board.example.com/cards?a=1^&b=2^" ^\r\n  -H ^"content-type: application/json^" ^\r\n  --data-raw ^"^{^\\^"title^\\^":^\\^"A b^\\^"^}^"',
  );
  expect([url, body.fields]).toEqual(['https://board.example.com/cards?a=1&b=2', { title: 'A b' }]);
});

it.each<[string, object]>([
  ['curl example.com', { httpMethod: 'GET', url: 'http://example.com', header: {}, body: null }],
  ['$ curl -sSLI https://a.test', { httpMethod: 'HEAD' }],
  [
    'curl -XPUT https://a.test -d a=1 -d b=x%20y -d b=2',
    {
      httpMethod: 'PUT',
      header: {},
      body: { format: 'x-www-form-urlencoded', data: 'raw', fields: { a: '1', b: ['x y', '2'] } },
    },
  ],
  [
    'curl -G https://a.test/?x=1 --data-urlencode "q=a b&c" -d y=2',
    { httpMethod: 'GET', url: 'https://a.test/?x=1&q=a%20b%26c&y=2', body: null },
  ],
  [
    'curl https://a.test -d hello',
    { body: { format: 'x-www-form-urlencoded', data: 'raw', fields: 'hello' } },
  ],
  [
    'curl https://a.test -H "Content-Type: text/xml" -d "<a/>"',
    {
      header: { 'Content-Type': 'text/xml' },
      body: { format: 'xml', data: 'raw', fields: '<a/>' },
    },
  ],
  [
    `curl https://a.test --json '{"id": 12345678901234567890}'`,
    {
      header: { Accept: 'application/json' },
      body: { format: 'json', fields: '{"id": 12345678901234567890}' },
    },
  ],
  [
    'curl https://a.test -F a=1 -F "file=@x.pdf;type=application/pdf" -F "b=2;type=text/plain"',
    {
      body: { format: 'form-data', data: 'form-data', fields: { a: '1', file: '', b: '2' } },
      warnings: [expect.stringContaining('-F file')],
    },
  ],
  [
    `curl https://a.test -H 'content-type: multipart/form-data; boundary=xx' --data-raw $'--xx\\r\\nContent-Disposition: form-data; name="a"\\r\\n\\r\\n1\\r\\n--xx--\\r\\n'`,
    { header: {}, body: { format: 'form-data', data: 'form-data', fields: { a: '1' } } },
  ],
  [
    'curl -u me:pw https://a.test -A x -e https://b.test',
    {
      header: { Authorization: 'Basic bWU6cHc=', 'User-Agent': 'x', Referer: 'https://b.test' },
      warnings: [expect.stringContaining('{%secret.NAME%}')],
    },
  ],
  [
    'curl https://a.test -H "Authorization: Bearer {%secret.a%}" -H Accept: -H "X-Empty;"',
    { header: { Authorization: 'Bearer {%secret.a%}', 'X-Empty': '' }, warnings: [] },
  ],
  [
    'curl https://a.test/$ID --proxy http://p -Z -d @x | jq .',
    {
      httpMethod: 'GET',
      url: 'https://a.test/$ID',
      warnings: [
        expect.stringContaining('$ID'),
        expect.stringContaining('"|"'),
        expect.stringContaining('--proxy'),
        expect.stringContaining('-Z'),
        expect.stringContaining('The file x'),
      ],
    },
  ],
])('requestFromCurl reads %s', async (command, expected) => {
  expect(await request(command)).toMatchObject(expected);
});

it.each([
  'wget https://a.test',
  'curl',
  'curl -X',
  "curl 'https://a.test",
  'curl -X PURGE https://a.test',
  '',
])('requestFromCurl refuses %s', async (command) => {
  const { errors } = await service.gql(QUERY, { command });
  expect(errors?.[0]?.extensions.reason).toBe('CURL_INVALID');
});
