/** @jest-environment node */
import { request } from 'node:http';
import { testLibrary, tokenOf } from '../support/graphql/open-library';
import { abandoned } from '../support/graphql/library-schema';
import { longIt } from '../support/long';

const TICKS = 'subscription { ticks { number } }';

describe('the WebSocket transport', () => {
  const library = testLibrary({ origins: ['https://app.example.com'] });

  describe('opening', () => {
    it.each(['/graphql', '/ws', '/ws/'])('accepts sockets at %s', async (path) => {
      const client = await library.connect({ path });
      expect((await client.ask('1', '{ open }')).data).toEqual({ open: 'come in' });
    });

    it('rejects other paths with 404 and foreign origins with 403 before the upgrade', async () => {
      await expect(library.open({ path: '/elsewhere' })).rejects.toThrow('404');
      await expect(library.open({ origin: 'https://evil.example.com' })).rejects.toThrow('403');
      await expect(library.open({ origin: 'null' })).rejects.toThrow('403');
    });

    it('explains a rejected upgrade in the error body of REST', async () => {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket' };
      const complete = {
        ...upgrade,
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      };
      const ask = (method: string, path: string, headers: Record<string, string>) =>
        new Promise<{ status?: number; body: any }>((resolve, reject) => {
          request(library.url + path, { method, headers }, (response) => {
            let text = '';
            response
              .setEncoding('utf8')
              .on('data', (part) => {
                text += part;
              })
              .on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
          })
            .on('error', reject)
            .end();
        });
      for (const [method, path, headers, status, message] of [
        ['GET', '/ws', upgrade, 400, 'BAD_REQUEST'],
        ['POST', '/ws', complete, 405, 'METHOD_NOT_ALLOWED'],
        ['GET', '/elsewhere', complete, 404, 'NOT_FOUND'],
        ['GET', '/ws', { ...complete, origin: 'https://evil.example.com' }, 403, 'ACCESS_DENIED'],
        ['GET', '/ws', {}, 426, 'BAD_REQUEST'],
      ] as const) {
        expect(await ask(method, path, headers)).toEqual({
          status,
          body: expect.objectContaining({ status, message, success: 'false', path }),
        });
      }
    });

    it('answers a plain request with 426 and an Upgrade header', async () => {
      const { status, headers } = await fetch(`${library.url}/ws`);
      expect([status, headers.get('upgrade')]).toEqual([426, 'websocket']);
    });

    it('accepts its own origin, configured origins and clients without an origin', async () => {
      for (const origin of [library.url, 'https://app.example.com', undefined])
        await library.connect({ origin });
    });

    it('ignores an upgrade to another protocol', async () => {
      const answer = await new Promise<string>((resolve, reject) => {
        const asking = request(
          `${library.url}/graphql`,
          {
            method: 'POST',
            headers: {
              connection: 'Upgrade, HTTP2-Settings',
              upgrade: 'h2c',
              'http2-settings': 'AAMAAABkAAQAAP__',
              'content-type': 'application/json',
            },
          },
          (response) => {
            response.setEncoding('utf8').once('data', resolve);
          },
        );
        asking.on('error', reject).end('{"query":"{ open }"}');
      });
      expect(JSON.parse(answer)).toEqual({ data: { open: 'come in' } });
    });

    it('closes with 4406 for another subprotocol', async () => {
      const client = await library.open({ protocol: 'graphql-ws' }).catch((error: Error) => error);
      if (client instanceof Error) expect(client.message).toMatch(/subprotocol/i);
      else expect((await client.close()).code).toBe(4406);
    });

    it.each([
      ['Authorization', 'Bearer '],
      ['authorization', 'bearer '],
      ['token', ''],
    ])('accepts the token from connection_init as %s', async (name, prefix) => {
      const token = library.signIn('someone', []);
      const client = await library.connect({ init: { [name]: prefix + token } });
      expect((await client.ask('1', '{ me }')).data).toEqual({ me: 'reader@library.test' });
    });

    it('accepts the token from the headers of the upgrade request', async () => {
      const token = library.signIn('someone', []);
      const client = await library.connect({ headers: { authorization: `Bearer ${token}` } });
      expect((await client.ask('1', '{ me }')).data).toEqual({ me: 'reader@library.test' });
    });

    it.each([
      ['rejected', /not valid/],
      ['expired', /expired/],
    ] as const)('closes with 4403 when the token is %s', async (state, reason) => {
      const token = tokenOf(`bad ${state}`);
      library.sessions.set(token, { state, credential: 'session' });
      const client = await library.open();
      client.send({ type: 'connection_init', payload: { token } });
      expect(await client.close()).toEqual({ code: 4403, reason: expect.stringMatching(reason) });
    });

    it('requires connection_init first and only once', async () => {
      const early = await library.open();
      early.subscribe('1', '{ open }');
      expect((await early.close()).code).toBe(4401);
      const twice = await library.connect();
      twice.send({ type: 'connection_init' });
      expect((await twice.close()).code).toBe(4429);
    });

    longIt('closes a socket that sends no connection_init in time', async () => {
      const client = await library.open();
      expect((await client.close()).code).toBe(4408);
    });
  });

  describe('operations', () => {
    it('reports the same errors for queries and mutations as HTTP', async () => {
      const token = library.signIn('weak', ['USER:DELETE']);
      const client = await library.connect({ init: { token } });
      for (const [id, query] of [
        ['1', '{ books { totalCount } }'],
        ['2', 'mutation { bookCreate(input: { title: "x" }) { book { title } } }'],
        ['3', '{ fault }'],
      ] as const) {
        const [socket, http] = [await client.ask(id, query), await library.ask(query, { token })];
        const plain = (errors: any[]) =>
          errors.map(({ message, extensions, ...rest }) => ({
            ...rest,
            code: extensions.code,
            reason: extensions.reason,
            message: message.replace(/Request .*/, ''),
          }));
        expect(plain(socket.errors)).toEqual(plain(http.errors ?? []));
        expect(socket.errors[0].extensions.requestId).toEqual(expect.any(String));
      }
      const anonymous = await library.connect();
      expect((await anonymous.ask('1', '{ me }')).errors[0].extensions.code).toBe(
        'UNAUTHENTICATED',
      );
    });

    it('reads the session again for each operation', async () => {
      const token = library.signIn('promoted', []);
      const client = await library.connect({ init: { token } });
      expect((await client.ask('1', '{ books { totalCount } }')).errors[0].extensions.code).toBe(
        'FORBIDDEN',
      );
      library.signIn('promoted', ['USER:READ']);
      expect((await client.ask('2', '{ books { totalCount } }')).data).toEqual({
        books: { totalCount: 250 },
      });
      library.sessions.set(token, { state: 'rejected' });
      expect((await client.ask('3', '{ me }')).errors[0].extensions.code).toBe('UNAUTHENTICATED');
    });

    it('runs 100 concurrent operations and rejects the next one', async () => {
      const client = await library.connect({
        init: { token: library.signIn('busy', ['USER:READ']) },
      });
      for (let id = 1; id <= 100; id += 1)
        client.subscribe(`n${id}`, 'subscription { count(to: 1) }');
      for (let id = 1; id <= 100; id += 1) await client.results(`n${id}`, 1);
      expect((await client.ask('over', '{ open }')).errors[0].extensions.code).toBe('RATE_LIMITED');
      client.send({ type: 'complete', id: 'n1' });
      expect((await client.ask('again', '{ open }')).data).toEqual({ open: 'come in' });
    });

    it('accepts a message of 256 KiB and closes with 1009 for one byte more', async () => {
      const message = (bytes: number): string => {
        const start =
          '{"type":"subscribe","id":"big","payload":{"query":"query ($v: JSON) { __typename a: echo(value: $v) @skip(if: true) }","variables":{"v":"';
        return `${start}${'x'.repeat(bytes - start.length - 4)}"}}}`;
      };
      const client = await library.connect();
      expect(message(256 * 1024)).toHaveLength(256 * 1024);
      client.send(message(256 * 1024));
      expect((await client.results('big', 1))[0].data).toEqual({ __typename: 'Query' });
      client.send(message(256 * 1024 + 1));
      expect((await client.close()).code).toBe(1009);
    });

    it.each([
      ['invalid JSON', '{'],
      ['a list', '[]'],
      ['an unknown type', '{"type":"hello"}'],
      ['a message without id', '{"type":"subscribe","payload":{"query":"{ open }"}}'],
      ['a query that is not a string', '{"type":"subscribe","id":"1","payload":{"query":{}}}'],
    ])('closes with 4400 for %s and still serves other clients', async (_name, text) => {
      const client = await library.connect();
      client.send(text);
      expect((await client.close()).code).toBe(4400);
      expect((await (await library.connect()).ask('1', '{ open }')).data).toEqual({
        open: 'come in',
      });
    });

    it('closes with 4409 when an id is in use', async () => {
      const client = await library.connect();
      client.subscribe('1', 'subscription { count(to: 1) }');
      await client.results('1', 1);
      client.subscribe('1', '{ open }');
      expect((await client.close()).code).toBe(4409);
    });

    it('answers a ping of the protocol', async () => {
      const client = await library.connect();
      client.send({ type: 'ping', payload: { at: 1 } });
      expect(await client.until(({ type }) => type === 'pong')).toEqual({
        type: 'pong',
        payload: { at: 1 },
      });
    });

    it('stops the operations of a client that disconnects', async () => {
      abandoned.length = 0;
      const client = await library.connect();
      client.subscribe('1', 'subscription { count(to: 1) }');
      client.subscribe('2', '{ forever }');
      await client.results('1', 1);
      client.connection.terminate();
      while (abandoned.length < 2) await new Promise(setImmediate);
      expect([...abandoned].sort()).toEqual(['count', 'forever']);
    });

    it('ends a waiting subscription when its client completes it', async () => {
      abandoned.length = 0;
      const client = await library.connect();
      client.subscribe('1', 'subscription { count(to: 2) }');
      await client.results('1', 2);
      client.send({ type: 'complete', id: '1' });
      while (abandoned.length < 1) await new Promise(setImmediate);
      expect((await client.ask('1', '{ open }')).data).toEqual({ open: 'come in' });
    });
  });

  it('rejects a subscription whose root field may be skipped', async () => {
    const faults = (): number => library.logs.filter(({ msg }) => msg === 'fault').length;
    const before = faults();
    const client = await library.connect({
      init: { token: library.signIn('listener', ['USER:READ']) },
    });
    for (const [id, query] of Object.entries({
      field: 'subscription { ticks @skip(if: true) { number } }',
      fragment:
        'subscription { ...T } fragment T on Subscription { ticks @include(if: false) { number } }',
      spread: 'subscription ($no: Boolean = false) { ... @include(if: $no) { ticks { number } } }',
    })) {
      expect((await client.ask(id, query)).errors[0]).toMatchObject({
        message: expect.stringContaining('@skip'),
        extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
      });
    }
    expect(faults()).toBe(before);
  });

  it('closes a socket once, even if more messages arrive', async () => {
    const warnings: Error[] = [];
    const listen = (warning: Error): void => void warnings.push(warning);
    process.on('warning', listen);
    const client = await library.open();
    for (let id = 0; id < 30; id += 1) client.subscribe(String(id), TICKS);
    expect((await client.close()).code).toBe(4401);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('rejects a subscription without permission before it starts', async () => {
    const client = await library.connect({ init: { token: library.signIn('weak', []) } });
    const answer = await client.ask('1', TICKS);
    expect(answer.errors[0]).toMatchObject({ path: ['ticks'], extensions: { code: 'FORBIDDEN' } });
    expect(answer.data).toBeUndefined();
  });
});
