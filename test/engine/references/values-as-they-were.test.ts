import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { compareNumeric, calculateExact } from '../../../src/engine/expression/numbers';
import type { Outbound } from '../../../src/platform/outbound';
import { rounds } from '../../support/rounds';
import {
  httpStep,
  ifStep,
  jsonBody,
  ofKind,
  openOutbound,
  reference,
  run,
  workflow,
} from '../support/run';

interface Seen {
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xfe, 0x00, 0x80]);

let server: Server;
let url: string;
let outbound: Outbound;
let seen: Seen[];
let answers: Record<string, (response: ServerResponse, request: Seen) => void>;

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        const one = {
          url: request.url ?? '',
          rawHeaders: request.rawHeaders,
          headers: request.headers,
          body: Buffer.concat(chunks),
        };
        seen.push(one);
        const answer = answers[one.url];
        if (answer) answer(response, one);
        else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  outbound = openOutbound();
});
beforeEach(() => {
  seen = [];
  answers = {};
});
afterAll(async () => {
  await outbound.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const answered =
  (bytes: Buffer, contentType: string | null) =>
  (response: ServerResponse): void =>
    void response
      .writeHead(200, contentType === null ? {} : { 'content-type': contentType })
      .end(bytes);
const bodyReference = reference('0', '(response).body');
const post = (body: object | null, header: Record<string, string> = {}) =>
  httpStep('1', `${url}/target`, { request: { method: 'POST', header, body } });

describe('a binary answer', () => {
  it.each<[string, string | null, Buffer]>([
    ['an image', 'image/png', PNG],
    ['a document with text bytes', 'application/pdf', Buffer.from('%PDF-1.4 text')],
    ['bytes of any kind', 'application/octet-stream', PNG],
    ['text with a binary type', 'application/octet-stream', Buffer.from('plain')],
    ['an unknown binary type', 'application/x-thing', PNG],
    ['bytes without a type', null, PNG],
  ])('is forwarded unchanged with its type: %s', async (_what, type, bytes) => {
    answers['/0'] = answered(bytes, type);
    const result = await run(
      workflow(
        httpStep('0', `${url}/0`),
        post({ type: 'object', format: 'json', data: 'raw', fields: bodyReference }),
      ),
      outbound,
    );
    expect(result.state).toBe('SUCCEEDED');
    expect(seen[1]?.body.equals(bytes)).toBe(true);
    expect(seen[1]?.headers['content-type']).toBe(type ?? 'application/octet-stream');
    const [first, second] = ofKind(result, 'StepFinished');
    const described = `${type ?? 'application/octet-stream'}, ${bytes.length} bytes`;
    expect([first?.response?.payload, second?.request?.payload]).toEqual([described, described]);
  });

  it('is base64 text in JSON and expressions, and a file part in a form', async () => {
    answers['/0'] = answered(PNG, 'image/png');
    const form = {
      type: 'object',
      format: 'form-data',
      data: 'raw',
      fields: { note: 'n', files: [bodyReference, 'x'] },
    };
    const result = await run(
      workflow(
        httpStep('0', `${url}/0`),
        post(jsonBody({ a: bodyReference, b: `<${bodyReference}>` })),
        ifStep('2', `${bodyReference} = "${PNG.toString('base64')}"`),
        httpStep('2_0', `${url}/form`, { request: { method: 'POST', body: form } }),
      ),
      outbound,
    );
    expect(result.state).toBe('SUCCEEDED');
    const base64 = PNG.toString('base64');
    expect(JSON.parse(String(seen[1]?.body))).toEqual({ a: base64, b: `<${base64}>` });
    const sent = await new Response(new Uint8Array(seen[2]?.body ?? []), {
      headers: { 'content-type': seen[2]?.headers['content-type'] ?? '' },
    }).formData();
    expect(sent.get('note')).toBe('n');
    const [file, text] = sent.getAll('files') as [File, string];
    expect([file.type, file.name, Buffer.from(await file.arrayBuffer()).equals(PNG), text]).toEqual(
      ['image/png', '0.png', true, 'x'],
    );
    expect(ofKind(result, 'StepFinished').map(({ request }) => request?.payload)).toEqual([
      '',
      expect.stringContaining('"a":"image/png, 12 bytes"'),
      '{"note":"n","files":["image/png, 12 bytes","x"]}',
    ]);
  });

  it('is text for text types: in another character set, as JSON with a binary type, and with a warning for replaced bytes', async () => {
    answers['/latin'] = answered(Buffer.from('caf\xe9', 'latin1'), 'text/plain');
    answers['/json'] = answered(Buffer.from('{"a":1}'), 'application/octet-stream');
    answers['/broken'] = answered(Buffer.from([0x22, 0xff, 0x22]), 'application/json');
    const result = await run(
      workflow(
        httpStep('0', `${url}/latin`),
        httpStep('1', `${url}/json`),
        httpStep('2', `${url}/broken`),
        httpStep('3', `${url}/target`, {
          request: {
            method: 'POST',
            body: jsonBody({ latin: bodyReference, a: reference('1', '(response).body.a') }),
          },
        }),
      ),
      outbound,
    );
    expect(JSON.parse(String(seen[3]?.body))).toEqual({ latin: 'café', a: 1 });
    expect(ofKind(result, 'RunLog').map(({ message }) => message)).toEqual([
      expect.stringMatching(/replaced by U\+FFFD/),
    ]);
  });
});

describe('the headers of a request', () => {
  it('keep the spelling of the workflow, and values of one name can be read separately', async () => {
    answers['/0'] = (response) =>
      void response
        .writeHead(200, {
          'content-type': 'application/json',
          'X-Tag': ['a', 'b'],
          'Set-Cookie': ['one=1', 'two=2'],
        })
        .end('{}');
    const read = (path: string): string => reference('0', `(response).header.${path}`);
    const result = await run(
      workflow(
        httpStep('0', `${url}/0`),
        post(
          jsonBody({
            all: read('X-Tag'),
            second: read('X-Tag[1]'),
            list: read('X-Tag[*]'),
            cookie: read('Set-Cookie[1]'),
            none: read('X-Tag[7]'),
            single: read('Content-Type[0]'),
          }),
          { SOAPAction: 'go', 'x-aPI-v': '2', accept: 'a/b' },
        ),
      ),
      outbound,
    );
    expect(result.state).toBe('SUCCEEDED');
    expect(JSON.parse(String(seen[1]?.body))).toEqual({
      all: 'a, b',
      second: 'b',
      list: ['a', 'b'],
      cookie: 'two=2',
      none: null,
      single: 'application/json',
    });
    expect(seen[1]?.rawHeaders).toEqual(
      expect.arrayContaining(['SOAPAction', 'x-aPI-v', 'accept', 'Content-Type']),
    );
    expect(seen[1]?.rawHeaders.filter((name) => name.toLowerCase() === 'accept')).toHaveLength(1);
  });

  it('send cookies of a redirect only to the next hop of the same origin', async () => {
    const moved =
      (location: string) =>
      (response: ServerResponse): void =>
        void response
          .writeHead(302, { location, 'set-cookie': ['sid=1; Path=/', 'other=2; Path=/elsewhere'] })
          .end();
    answers['/login'] = moved('/landed');
    answers['/away'] = moved(`${url.replace('127.0.0.1', 'localhost')}/stranger`);
    await run(
      workflow(
        httpStep('0', `${url}/login`, { request: { header: { Cookie: 'mine=0' } } }),
        httpStep('1', `${url}/after`),
      ),
      outbound,
    );
    expect(seen.map(({ url: path, headers }) => [path, headers.cookie])).toEqual([
      ['/login', 'mine=0'],
      ['/landed', 'mine=0; sid=1'],
      ['/after', undefined],
    ]);
    seen = [];
    await outbound
      .send(
        { method: 'GET', url: `${url}/away`, headers: {}, timeoutMs: 60_000 },
        new AbortController().signal,
      )
      .catch(() => undefined);
    expect(seen.slice(1).map(({ headers }) => headers.cookie)).toEqual(
      seen.slice(1).map(() => undefined),
    );
  });

  it('answer a Digest challenge once with the user and password of the URL', async () => {
    answers['/digest?a=1'] = (response, { headers }) => {
      if (headers.authorization?.startsWith('Digest '))
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ got: headers.authorization }));
      else
        response
          .writeHead(401, {
            'www-authenticate': [
              'Basic realm="x"',
              'Digest realm="r@h", qop="auth,auth-int", algorithm=SHA-256, nonce="n1", opaque="o1"',
            ],
          })
          .end();
    };
    answers['/refused'] = (response) =>
      void response
        .writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' })
        .end();
    const withUser = url.replace('//', '//Mufasa:Circle%20of%20Life@');
    const send = (path: string) =>
      outbound.send(
        { method: 'GET', url: withUser + path, headers: {}, timeoutMs: 60_000 },
        new AbortController().signal,
      );
    const { got } = JSON.parse(String((await send('/digest?a=1')).body)) as { got: string };
    expect(got).toMatch(
      /^Digest username="Mufasa", realm="r@h", nonce="n1", uri="\/digest\?a=1", response="[0-9a-f]{64}", opaque="o1", cnonce="[0-9a-f]+", algorithm=SHA-256, qop=auth, nc=00000001$/,
    );
    expect((await send('/refused')).status).toBe(401);
    expect(seen.filter(({ url: path }) => path === '/refused')).toHaveLength(2);
  });
});

it('xsi:nil in an XML answer is null', async () => {
  answers['/0'] = answered(
    Buffer.from(
      '<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><a xsi:nil="true"/><b xsi:nil="false">x</b><c/></r>',
    ),
    'application/xml',
  );
  const read = (name: string): string => reference('0', `(response).body.r.${name}`);
  await run(
    workflow(httpStep('0', `${url}/0`), post(jsonBody({ a: read('a'), c: read('c') }))),
    outbound,
  );
  expect(JSON.parse(String(seen[1]?.body))).toEqual({ a: null, c: '' });
});

describe('a number in an expression', () => {
  const integers = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });

  it('is compared exactly in any notation', () => {
    fc.assert(
      fc.property(integers, integers, fc.nat({ max: 20 }), (a, b, scale) => {
        const expected = a < b ? -1 : a > b ? 1 : 0;
        const decimal = (value: bigint): string => {
          const digits = String(value < 0n ? -value : value).padStart(scale + 1, '0');
          return `${value < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}.${digits.slice(digits.length - scale)}`;
        };
        expect(compareNumeric(a, String(b))).toBe(expected);
        expect(compareNumeric(decimal(a), decimal(b))).toBe(expected);
        expect(compareNumeric(`${a}e-${scale}`, decimal(b))).toBe(expected);
      }),
      { numRuns: rounds(1_000) },
    );
  });

  it('is added, subtracted and multiplied exactly, or rejected with a named error', () => {
    fc.assert(
      fc.property(integers, integers, (a, b) => {
        expect(BigInt(calculateExact(a, '+', String(b)))).toBe(a + b);
        expect(BigInt(calculateExact(String(a), '-', b))).toBe(a - b);
        expect(BigInt(calculateExact(a, '*', b))).toBe(a * b);
      }),
      { numRuns: rounds(1_000) },
    );
    expect(calculateExact(2 ** 53, '+', 1)).toBe(9_007_199_254_740_993n);
    expect(calculateExact(0.1, '+', 0.2)).toBe(0.1 + 0.2);
    expect(calculateExact(1e300, '+', 1)).toBe(1e300);
    expect(() => calculateExact(9_007_199_254_740_993n, '+', 0.5)).toThrow(
      expect.objectContaining({ code: 'EXPRESSION_NUMBER_TOO_LARGE' }),
    );
    expect(() => calculateExact('9007199254740993.5', '+', 1)).toThrow(
      expect.objectContaining({ code: 'EXPRESSION_NUMBER_TOO_LARGE' }),
    );
  });

  it.each([
    ['9007199254740993 > 9007199254740992', true],
    ['"9007199254740993" > "9007199254740992"', true],
    ['"0.10" >= "0.1"', true],
    ['"1e400" > "1e399"', true],
    ['9007199254740992 + 1 = 9007199254740993', true],
    ['"4.0" = "4"', false],
    ['9007199254740993 - 1 = 9007199254740992', true],
    ['"-5" < "-4.9"', true],
  ])('can be used in a condition: %s is %s', async (expression, expected) => {
    await run(workflow(ifStep('0', expression), httpStep('0_0', `${url}/yes`)), outbound);
    expect(seen.length).toBe(expected ? 1 : 0);
  });
});
