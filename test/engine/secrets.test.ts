import fc from 'fast-check';
import { RunSecrets } from '../../src/engine/secrets/run-secrets';
import { MOST_BYTES } from '../../src/platform/redaction/known-secrets';
import type { OutboundRequest } from '../../src/engine';
import { httpStep, ifStep, jsonBody, ofKind, reference, runWith, workflow } from './support/run';
import type { Run } from './support/run';
import { rounds } from '../support/rounds';

const knowing = (...secrets: string[]): RunSecrets => {
  const runSecrets = new RunSecrets();
  runSecrets.learn.tree({ password: secrets });
  return runSecrets;
};

/** Any text of at least four characters; trimmed or meaningless texts are not secrets by themselves. */
const secret = fc
  .oneof(
    fc.string({ minLength: 4, maxLength: 40, unit: 'grapheme' }),
    fc.string({ minLength: 4, maxLength: 12, unit: 'grapheme-ascii' }),
    fc.stringMatching(/^[A-Za-z0-9_-]{4,60}$/),
  )
  .filter(
    (text) =>
      text.trim().length >= 4 &&
      text.trim() === text &&
      !/^(?:true|false|null|none|undefined)$|^(?:bearer|basic|digest|token|apikey|negotiate) |\*\*\*/i.test(
        text,
      ),
  );
const around = fc.string({ maxLength: 9, unit: 'grapheme-ascii' });

const percentAll = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const escapedAll = (text: string): string =>
  [...Array(text.length).keys()]
    .map((index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');
/** Encodings that change each part of a text independently. */
const ENCODINGS: Record<string, (text: string) => string> = {
  plain: (text) => text,
  json,
  escapedAll,
  percentAll,
  xml: (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;'),
  entitiesAll: (text) =>
    [...text].map((character) => `&#x${character.codePointAt(0)?.toString(16)};`).join(''),
  slashes: (text) => json(text).replaceAll('/', '\\/'),
  percent: (text) => encodeURIComponent(text),
  percentUpper: (text) => percentAll(text).toUpperCase(),
  form: (text) => new URLSearchParams({ a: text }).toString().slice(2),
};
const encoding = fc.constantFrom(...Object.keys(ENCODINGS));
const chain = fc.array(encoding, { maxLength: 3 });
const encoded = (text: string, names: readonly string[]): string =>
  names.reduce((inner, name) => ENCODINGS[name]?.(inner) ?? inner, text);
/** Encodings of bytes as letters, with the bits per letter. */
const LETTERS: Record<
  string,
  { readonly bits: number; readonly write: (bytes: Buffer) => string }
> = {
  base64: { bits: 6, write: (bytes) => bytes.toString('base64') },
  'base64 of URLs': { bits: 6, write: (bytes) => bytes.toString('base64url') },
  hex: { bits: 4, write: (bytes) => bytes.toString('hex') },
  'hex in capitals': { bits: 4, write: (bytes) => bytes.toString('hex').toUpperCase() },
};
const wellFormed = (text: string): string => Buffer.from(text, 'utf8').toString('utf8');

describe('a known secret', () => {
  it('is masked in every nested encoding, with any surrounding text', () => {
    fc.assert(
      fc.property(secret, chain, around, around, (text, names, before, after) => {
        const inner = encoded(wellFormed(text), names);
        const shown = knowing(wellFormed(text)).hide(
          `${encoded(before, names)}${inner}${encoded(after, names)}`,
        );
        expect(shown).not.toContain(inner);
        expect(shown).toContain('***');
      }),
      { numRuns: rounds(200) },
    );
  });

  it.each(Object.keys(LETTERS))('is masked in %s at any position', (name) => {
    const { bits, write } = LETTERS[name];
    fc.assert(
      fc.property(
        secret,
        fc.string({ maxLength: 7 }),
        around,
        fc.constantFrom('plain', 'json', 'percentAll'),
        fc.constantFrom('', 'b', 'Basic/'),
        fc.constantFrom('plain', 'json', 'percent'),
        (text, before, after, inside, front, outside) => {
          const [left, middle, right] = [before, wellFormed(text), after].map((part) =>
            Buffer.from(encoded(part, [inside])),
          );
          const full = write(Buffer.concat([left, middle, right]));
          // The letters that contain only bits of the secret.
          const core = encoded(
            full.slice(
              Math.ceil((left.length * 8) / bits),
              Math.floor(((left.length + middle.length) * 8) / bits),
            ),
            [outside],
          );
          const shown = knowing(wellFormed(text)).hide(`${front}${encoded(full, [outside])} x`);
          expect(shown).toContain('***');
          expect(shown).not.toContain(core);
        },
      ),
      { numRuns: rounds(200) },
    );
  });

  it('is masked in base64 and hex of one another, up to three', () => {
    const letters = fc.array(fc.constantFrom(...Object.keys(LETTERS)), {
      minLength: 2,
      maxLength: 3,
    });
    const outside = fc.constantFrom('plain', 'json', 'percent');
    fc.assert(
      fc.property(secret, around, letters, outside, (text, before, names, last) => {
        const inner = names.reduce(
          (written, name) => LETTERS[name].write(Buffer.from(written)),
          `${before}${wellFormed(text)}`,
        );
        expect(knowing(wellFormed(text)).hide(`x ${encoded(inner, [last])} y`)).toContain('***');
      }),
      { numRuns: rounds(200) },
    );
  });

  it.each(Object.keys(LETTERS))('is masked when the lines of %s are broken', (name) => {
    const before = 'a rather long text before it: ';
    const { bits, write } = LETTERS[name];
    const broken = (text: string): string => text.replace(/(.{13})/g, '$1\r\n');
    // All letters with bits of the preceding text only, and the first letter of the secret where it shares one.
    const shown = broken(
      write(Buffer.from(before)).slice(0, Math.floor((before.length * 8) / bits)),
    );
    expect(
      knowing('pa55-w0rd')
        .hide(broken(write(Buffer.from(`${before}pa55-w0rd`))))
        .trim(),
    ).toBe(`${shown}***`);
  });

  it('is masked in UTF-8 that is read as Latin-1', () => {
    expect(knowing('pässwörd€').hide(`x ${Buffer.from('pässwörd€').toString('latin1')} y`)).toBe(
      'x *** y',
    );
  });

  it('may be the user of a URL without a password', () => {
    expect(
      new RunSecrets().mask(
        'see http://key-4711:@h.test/, https://u:pa55@h.test and https://:@h.test',
      ),
    ).toBe('see http://***:@h.test/, https://u:***@h.test and https://:@h.test');
  });

  it('is masked in a header name', () => {
    expect(knowing('geheim-99').headers({ 'x-geheim-99': 'a', 'X-Geheim': 'b' }, 100)).toEqual({
      'x-***': 'a',
      'X-Geheim': 'b',
    });
  });

  it('is masked as a number and as the text of that number', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.integer({ min: 1_000 }),
          fc.double({ min: 1_000, noNaN: true, noDefaultInfinity: true }),
          fc.bigInt({ min: 10n ** 17n, max: 10n ** 30n }),
        ),
        (number) => {
          const secrets = new RunSecrets();
          secrets.learn.tree({ pin: number });
          expect(secrets.hides(number)).toBe(true);
          expect(secrets.hide(`x${number}y`)).toBe('x***y');
          const asText = knowing(`00${number}`);
          expect(String(number).includes('e') || asText.hides(number)).toBe(true);
        },
      ),
    );
  });

  it('is masked only at its own position when it is short or means yes, no or nothing', async () => {
    const credentials = { pin: 123, otp: 'abc', password: true, token: null, apiKey: 'false' };
    const http = {
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(
          JSON.stringify({
            ...credentials,
            plain: { ...Object.values(credentials) },
            text: 'abc 123 true false',
          }),
        ),
      }),
    };
    const result = await runWith(workflow(httpStep('0', 'http://remote/')), { http });
    expect(JSON.parse(ofKind(result, 'StepFinished')[0].response?.payload ?? '')).toEqual({
      pin: '***',
      otp: '***',
      password: '***',
      token: '***',
      apiKey: '***',
      plain: { 0: 123, 1: 'abc', 2: true, 3: null, 4: 'false' },
      text: 'abc 123 true false',
    });
  });

  it('is masked after any number of similar texts, or the whole text is hidden', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60_000 }),
        fc.boolean(),
        fc.boolean(),
        (decoys, isFirst, bySteps) => {
          const secrets = new RunSecrets();
          const names = Array.from({ length: decoys }, (_, index) => `decoy-${index}`);
          const all = isFirst ? ['the-real-one', ...names] : [...names, 'the-real-one'];
          if (bySteps)
            for (let index = 0; index < all.length; index += 2_000)
              secrets.learn.tree({ password: all.slice(index, index + 2_000) });
          else secrets.learn.tree({ password: all });
          const shown = secrets.hide('before the-real-one, decoy-0x and behind');
          expect(shown).not.toContain('real-one');
          if (all.join('').length < MOST_BYTES) expect(shown).toMatch(/^before \*\*\*/);
        },
      ),
      { numRuns: rounds(12) },
    );
  });

  it('does not show its beginning in a truncated text', () => {
    fc.assert(
      fc.property(
        secret.map(wellFormed),
        fc.constantFrom('plain', 'json', 'percentAll', 'escapedAll'),
        around,
        fc.nat(),
        (text, name, plain, position) => {
          const [before, inner] = [encoded(plain, [name]), encoded(text, [name])];
          const cut = inner.slice(0, position % (inner.length + 1));
          const shown = knowing(text).hide(before + cut, true);
          const units = { plain: 1, json: 1, percentAll: 3, escapedAll: 6 }[name] ?? 1;
          expect(shown.length).toBeLessThan(before.length + Math.max(4 * 4 * units, 8));
          if (cut.length > 16 * units) expect(shown).toContain('***');
        },
      ),
    );
  });

  it.each(Object.keys(ENCODINGS))(
    'does not show its beginning at any truncation point: %s',
    (name) => {
      const text = 'a "correct" <horse> & 1/2 bättery \u{1f511} staple';
      const [inner, beginning] = [encoded(text, [name]), encoded(text.slice(0, 4), [name])];
      for (let end = beginning.length; end < inner.length; end += 1)
        expect(knowing(text).hide(`x${inner.slice(0, end)}`, true)).toBe('x***');
    },
  );

  it.each(Object.keys(LETTERS))(
    'does not show its beginning where its %s was truncated',
    (name) => {
      const { bits, write } = LETTERS[name];
      fc.assert(
        fc.property(
          secret.map(wellFormed),
          fc.string({ maxLength: 7 }),
          fc.nat(),
          (text, before, position) => {
            const left = Buffer.from(before);
            const full = write(Buffer.concat([left, Buffer.from(text)])).replace(/=+$/, '');
            // After the letters with bits of the preceding text, and enough secret bytes to reveal something.
            const from = Math.ceil((left.length * 8) / bits);
            const shortest = Math.min(full.length, from + Math.ceil((5 * 8) / bits) + 1);
            const cut = full.slice(0, shortest + (position % (full.length - shortest + 1)));
            const shown = knowing(text).hide(`Basic/${cut}`, true);
            expect(shown).toMatch(/\*\*\*$/);
            expect(shown.length).toBeLessThanOrEqual(`Basic/${full.slice(0, from)}***`.length);
          },
        ),
        { numRuns: rounds(200) },
      );
    },
  );

  it('of file length hides everything after its beginning', () => {
    const key = 'k'.repeat(5_000) + 'x'.repeat(200_000);
    expect(knowing(key).hide(`before ${key} behind`)).toBe('before ***');
  });
});

describe('the events of a step with a secret', () => {
  type Place = (text: string) => {
    request?: object;
    endpoint?: string;
    response?: { headers?: Record<string, string>; body?: string };
  };
  const quoted = (text: string): string => (text.includes('"') ? `'${text}'` : `"${text}"`);
  const jsonAnswer = (body: unknown) => ({
    response: { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  });
  /** Names under which a secret is recognised. */
  const RECOGNISED_PLACES: Record<string, Place> = {
    header: (text) => ({ request: { header: { 'X-Api-Key': encodeURIComponent(text) } } }),
    bearer: (text) => ({
      request: { header: { Authorization: `Bearer ${encodeURIComponent(text)}` } },
    }),
    basic: (text) => ({
      request: {
        header: { Authorization: `Basic ${Buffer.from(`user:${text}`).toString('base64')}` },
      },
    }),
    basicUser: (text) => ({
      request: { header: { Authorization: `Basic ${Buffer.from(`${text}:`).toString('base64')}` } },
    }),
    query: (text) => ({ endpoint: `http://remote/x?a=1&access_token=${encodeURIComponent(text)}` }),
    urlPassword: (text) => ({ endpoint: `http://user:${encodeURIComponent(text)}@remote/x` }),
    urlUser: (text) => ({ endpoint: `http://${encodeURIComponent(text)}:@remote/x` }),
    urlUserAlone: (text) => ({ endpoint: `http://${encodeURIComponent(text)}@remote/x` }),
    field: (text) => ({
      request: { method: 'POST', body: jsonBody({ deep: [{ clientSecret: { inside: [text] } }] }) },
    }),
    form: (text) => ({
      request: {
        method: 'POST',
        body: { format: 'x-www-form-urlencoded', fields: { password: text } },
      },
    }),
    answered: (text) => jsonAnswer({ list: [1, { access_token: text }] }),
    answeredInJsonText: (text) =>
      jsonAnswer({ body: JSON.stringify({ inner: JSON.stringify({ password: text }) }) }),
    answeredInText: (text) => ({
      response: {
        headers: { 'content-type': 'text/plain' },
        body: `x\n"password": ${JSON.stringify(text)}\n`,
      },
    }),
    answeredInXml: (text) => ({
      response: {
        headers: { 'content-type': 'application/xml' },
        body: `<a><token type="x">${text.replace(/[<>&]/g, '_')}</token></a>`,
      },
    }),
    answeredInCdata: (text) => ({
      response: {
        headers: { 'content-type': 'application/xml' },
        body: `<a><token><![CDATA[${text}]]></token></a>`,
      },
    }),
    answeredInAttribute: (text) => ({
      response: {
        headers: { 'content-type': 'application/xml' },
        body: `<a><token xsi:type="xsd:string" value=${quoted(text)}/><b/></a>`,
      },
    }),
    answeredInInnerAttribute: (text) => ({
      response: {
        headers: { 'content-type': 'application/xml' },
        body: `<credentials><pass a='1' value=${quoted(text)}>x</pass></credentials>`,
      },
    }),
    cookie: (text) => ({
      response: { headers: { 'set-cookie': `id=${encodeURIComponent(text)}; Path=/` } },
    }),
  };
  /** Places that do not identify a secret. */
  const ECHOED: Record<string, Place> = {
    header: (text) => ({ request: { header: { 'X-Copy': encodeURIComponent(text) } } }),
    path: (text) => ({ endpoint: `http://remote/${encodeURIComponent(text)}/x` }),
    body: (text) => ({ request: { method: 'POST', body: jsonBody({ note: `see ${text}` }) } }),
    name: (text) => jsonAnswer({ [text]: 1 }),
    answered: (text) => jsonAnswer({ note: ['x', `${text} is it`] }),
    answeredInJson: (text) =>
      jsonAnswer({ note: JSON.stringify({ note: JSON.stringify([text]) }) }),
    answeredBase64: (text) => jsonAnswer({ note: Buffer.from(`ab ${text}`).toString('base64url') }),
    answeredHex: (text) => jsonAnswer({ note: `\\x${Buffer.from(`ab ${text}`).toString('hex')}` }),
    answeredForm: (text) => ({
      response: {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ a: text, b: text }).toString(),
      },
    }),
    answeredHeader: (text) => ({ response: { headers: { 'x-echo': encodeURIComponent(text) } } }),
  };
  const merged = (left: ReturnType<Place>, right: ReturnType<Place>): ReturnType<Place> => ({
    endpoint: right.endpoint ?? left.endpoint,
    request: { ...left.request, ...right.request },
    response: {
      headers: { ...left.response?.headers, ...right.response?.headers },
      body: right.response?.body ?? left.response?.body,
    },
  });
  const conflicts = (left: ReturnType<Place>, right: ReturnType<Place>): boolean =>
    (left.endpoint !== undefined && right.endpoint !== undefined) ||
    (left.response?.body !== undefined && right.response?.body !== undefined) ||
    Object.keys(left.request ?? {}).some((key) => Object.keys(right.request ?? {}).includes(key));

  async function eventsOf(steps: readonly ReturnType<Place>[], options = {}): Promise<Run> {
    let at = 0;
    const http = {
      send: async () => {
        const { response } = steps[at] ?? {};
        at += 1;
        return {
          status: 200,
          headers: response?.headers ?? {},
          body: Buffer.from(response?.body ?? ''),
        };
      },
    };
    return runWith(
      workflow(
        ...steps.map(({ endpoint, request }, index) =>
          httpStep(String(index), endpoint ?? 'http://remote/', {
            request: { header: {}, ...request },
          }),
        ),
      ),
      { http },
      options,
    );
  }

  /** Every form in which the secret could be read in the events. */
  function shows(run: Run, text: string): string[] {
    const written = JSON.stringify(run.events);
    const readings = [written];
    for (let level = 0; level < 4; level += 1) readings.push(unescaped(readings[level] ?? ''));
    const decoded = readings.flatMap((reading) => [
      reading,
      reading
        .replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
          Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
        )
        .replaceAll('+', ' '),
    ]);
    const base64 = (written.match(/[A-Za-z0-9_-]{6,}/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString()),
    );
    const hex = (written.match(/[0-9A-Fa-f]{6,}/g) ?? []).flatMap((run) =>
      [0, 1].map((start) => Buffer.from(run.slice(start), 'hex').toString()),
    );
    return [...decoded, ...base64, ...hex].filter((reading) => reading.includes(text));
  }
  const unescaped = (text: string): string =>
    text.replace(/\\(u[0-9a-f]{4}|.)/g, (_all, escape: string) =>
      escape.length > 1
        ? String.fromCharCode(parseInt(escape.slice(1), 16))
        : ({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }[escape] ?? escape),
    );

  /** The encodings of the sender would change these. */
  const sendable = secret
    .map(wellFormed)
    .filter(
      (text) =>
        !/[{}$#+<>&;]|\.\.|http|remote|step|header|response|request|payload|StepF|Start|[0-9]{4}|\ufffd/i.test(
          text,
        ) &&
        !text.includes('***') &&
        text.length >= 6,
    );

  it('never show it, before or after its place, in this step or later ones', async () => {
    const places = fc.tuple(
      fc.constantFrom(...Object.keys(RECOGNISED_PLACES)),
      fc.constantFrom(...Object.keys(ECHOED)),
      fc.boolean(),
    );
    await fc.assert(
      fc.asyncProperty(sendable, places, async (text, [recognised, echoed, isLater]) => {
        // A Basic authentication user ends at the first colon (RFC 7617).
        fc.pre(recognised !== 'basicUser' || !text.includes(':'));
        // An attribute cannot contain both kinds of quotation mark.
        fc.pre(!recognised.endsWith('Attribute') || !(text.includes('"') && text.includes("'")));
        const [first, second] = [RECOGNISED_PLACES[recognised](text), ECHOED[echoed](text)];
        const run = await eventsOf(
          isLater || conflicts(first, second) ? [first, second] : [merged(first, second)],
        );
        expect([recognised, echoed, run.state, shows(run, text)]).toEqual([
          recognised,
          echoed,
          'SUCCEEDED',
          [],
        ]);
      }),
      { numRuns: rounds(300) },
    );
  });

  it.each([true, false])(
    'mask it in error messages, recorded or not: %p',
    async (recordSegments) => {
      const refusing = (answer: unknown) => ({
        send: async (request: OutboundRequest) => {
          if (request.url.includes('login'))
            return {
              status: 200,
              headers: { 'content-type': 'application/json' },
              body: Buffer.from(JSON.stringify(answer)),
            };
          throw Object.assign(new Error(`No connection to ${new URL(request.url).host}.`), {
            code: 'OUTBOUND_CONNECTION_FAILED',
          });
        },
      });
      const login = httpStep('0', 'http://remote/login');
      const failing = httpStep('1', `http://${reference('0', '(response).body.token')}.example/`);
      const run = await runWith(
        workflow(login, failing),
        { http: refusing({ token: 'geheim-99' }) },
        { recordSegments },
      );
      expect(run.error).toMatchObject({
        code: 'OUTBOUND_CONNECTION_FAILED',
        message: 'Step "step 1" (1): GET http://***.example/: No connection to ***.example.',
      });
      expect(JSON.stringify(run.events)).not.toContain('geheim-99');
      const literal = await runWith(
        workflow(
          httpStep('0', 'http://geheim-99.example/', {
            request: { header: { 'X-Api-Key': 'geheim-99' } },
          }),
        ),
        { http: refusing({}) },
        { recordSegments },
      );
      expect(literal.error?.message).toBe(
        'Step "step 0" (0): GET http://***.example/: No connection to ***.example.',
      );
      // A URL normalises its host.
      for (const host of ['GeHeim-99', 'Geheim.NEUN.example', 'Geheimnis-ÄÖ']) {
        const spelled = await runWith(
          workflow(
            httpStep('0', `http://${host}.example/`, {
              request: { header: { 'X-Api-Key': encodeURIComponent(host) } },
            }),
          ),
          { http: refusing({}) },
          { recordSegments },
        );
        expect([host, spelled.error?.message]).toEqual([
          host,
          'Step "step 0" (0): GET http://***.example/: No connection to ***.example.',
        ]);
      }
    },
  );

  it.each(['{"password":"', 'https://user:', 'Bearer '])(
    'mask a literal of the workflow after %j in each of its runs',
    async (before) => {
      const document = workflow({
        ...httpStep('0', 'http://remote/'),
        name: 'geheim-4711',
        request: {
          endpoint: 'http://remote/',
          method: 'POST',
          header: { Authorization: 'Basic x' },
          body: {
            type: 'object',
            format: 'json',
            fields: { note: `${before}geheim-4711@"`, token: `${before}geheim-4711` },
          },
        },
      });
      const names: unknown[] = [];
      for (let run = 0; run < 3; run += 1)
        names.push(
          ...ofKind(await runWith(document, {}, { recordSegments: true }), 'StepStarted').map(
            ({ name }) => name,
          ),
        );
      expect(names).toEqual(['***', '***', '***']);
    },
  );

  it('mask it in step names, conditions and loop keys', async () => {
    const http = {
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ token: 'geheim-99', keys: { 'geheim-99': 1 } })),
      }),
    };
    const run = await runWith(
      workflow(
        httpStep('0', 'http://remote/'),
        ifStep('1', '"geheim-99" = "geheim-99"'),
        httpStep('2', 'http://remote/', { name: 'with geheim-99' }),
        {
          id: 'o3',
          index: '3',
          type: 'loop',
          expression: `ForIn(${reference('0', '(response).body.keys')})`,
          iterator: 'k',
        },
      ),
      { http },
    );
    expect(run.state).toBe('SUCCEEDED');
    expect(JSON.stringify(run.events)).not.toContain('geheim-99');
  });

  it('mask the content of its XML element but not the declaration of its form', async () => {
    const shownOf = async (body: string): Promise<string | undefined> =>
      ofKind(
        await eventsOf([{ response: { headers: { 'content-type': 'application/xml' }, body } }]),
        'StepFinished',
      )[0].response?.payload;
    expect(await shownOf('<r><token value="geheim-1"/><b c="1"/></r>')).toBe(
      '<r><token value="***"/><b c="1"/></r>',
    );
    expect(
      await shownOf(
        '<r><password Type="urn:text" xsi:type="xsd:string" xmlns:x="urn:x" v=\'geheim-2\'>geheim-3</password> xsd:string</r>',
      ),
    ).toBe(
      '<r><password Type="urn:text" xsi:type="xsd:string" xmlns:x="urn:x" v=\'***\'>***</password> xsd:string</r>',
    );
    expect(
      await shownOf(
        '<r><credentials a="geheim-4"><b c="geheim-5"><![CDATA[<geheim>6]]></b></credentials><x>geheim-4 geheim-5 &lt;geheim&gt;6</x></r>',
      ),
    ).toBe('<r><credentials a="***">***</credentials><x>*** *** ***</x></r>');
    for (const cut of [
      '<token value="geheim-7',
      '<r><token a=1 value=geheim-7',
      "<token value='geheim-7><b>",
    ])
      expect(await shownOf(cut)).not.toContain('geheim-7');
  });

  it.each(['Matches', 'RegExp'])('never quote the invalid pattern of %s', async (relation) => {
    for (const pattern of [
      '(geheim-99',
      '[z-geheim]',
      'geheim**',
      '\\p{geheim}',
      '(?=geheim-99)',
      'geheim'.repeat(300),
    ]) {
      const run = await runWith(
        workflow(ifStep('0', `"x" ${relation} ${JSON.stringify(pattern)}`)),
        {},
      );
      expect(run.error?.code).toBe('EXPRESSION_BAD_PATTERN');
      expect(run.error?.message).not.toContain('geheim');
    }
  });

  it('contain nothing more when there are too many secrets to search for', async () => {
    const tokens = Array.from({ length: 20_000 }, (_, index) => `token-number-${index}`);
    const http = {
      send: async () => ({
        status: 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify({ note: 'token-number-19999', tokens })),
      }),
    };
    const run = await runWith(workflow(httpStep('0', 'http://remote/')), { http });
    expect(ofKind(run, 'StepFinished')[0].response?.payload).not.toContain('token-number');
  });
});
