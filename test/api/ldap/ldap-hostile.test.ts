import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { LdapConnection } from '../../../src/platform/outbound/ldap/ldap-connection';
import { anyEntry } from '../../../src/platform/outbound/ldap/filter-template';
import { LdapFrames } from '../../../src/platform/outbound/ldap/ldap-frames';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { BRANCHES, environment, person, READER } from '../../support/peers/ldap-directory';
import {
  entryMessage,
  message,
  result,
  startAnswering,
  startDirectory,
  startRawLdap,
} from '../../support/peers/ldap-server';
import type { RunningLdap } from '../../support/peers/ldap-server';
import { until } from '../../support/until';
import { startUntrusted } from '../../support/peers/untrusted-server';
import { longIt } from '../../support/long';

const WITH_ADA = [READER, ...BRANCHES, person('ada')];
const loginAt = (service: TestService, email: string, password: string): Promise<Answer> =>
  service.api('POST', '/login', { token: null, body: { email, password } });

let server: RunningLdap | undefined;
afterEach(() => server?.close());

/** Binds and searches, and returns the entries or the reason of the failure. */
async function converse(
  url: string,
  { timeoutMs = 60_000, startTls = false } = {},
): Promise<unknown> {
  try {
    const connection = await LdapConnection.open({
      url,
      startTls,
      ca: null,
      timeoutMs,
      policy: null,
    });
    try {
      await connection.bind('cn=reader', 'password');
      const search = {
        base: 'dc=x',
        scope: 'sub',
        filter: anyEntry(),
        attributes: ['cn'],
      } as const;
      const { entries } = await connection.search({ ...search, maxEntries: 2 });
      return entries.map(({ dn }) => dn);
    } finally {
      connection.close();
    }
  } catch (error) {
    return (error as { reason?: string }).reason ?? error;
  }
}

const ENTRY = { dn: 'cn=a,dc=x', attributes: { cn: 'a' } };
const sequence = (...bytes: number[]): Buffer => Buffer.from([0x30, bytes.length, ...bytes]);
/** Bytes after which a test server that should have been disconnected gives up. */
const MANY_BYTES = 100 * 1024 * 1024;

/** Sends the same bytes until the client disconnects. Returns the number of sent bytes. */
function flood(socket: Socket, bytes: Buffer, sent: { bytes: number }): void {
  const send = (): void => {
    while (!socket.destroyed && sent.bytes < MANY_BYTES) {
      sent.bytes += bytes.length;
      if (!socket.write(bytes)) return;
    }
  };
  socket.on('drain', send);
  send();
}

describe('a directory server', () => {
  it.each<[string, string, (id: number) => Buffer]>([
    [
      'speaks another protocol',
      'BAD_ANSWER',
      () => Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    ],
    ['sends an invalid length', 'BAD_ANSWER', () => Buffer.from([0x30, 0xff, 1, 2, 3])],
    ['sends an indefinite length', 'BAD_ANSWER', () => Buffer.from([0x30, 0x80, 0, 0])],
    ['sends an empty message', 'BAD_ANSWER', () => sequence()],
    ['sends only an id', 'BAD_ANSWER', (id) => sequence(2, 1, id)],
    ['sends a long id', 'BAD_ANSWER', () => sequence(2, 5, 1, 1, 1, 1, 1, 0x65, 0)],
    ['sends no result', 'BAD_ANSWER', (id) => sequence(2, 1, id, 0x65, 0)],
    ['answers another request', 'BAD_ANSWER', () => result(99, 0x65, 0)],
    [
      'sends a part with a negative length',
      'BAD_ANSWER',
      (id) => sequence(2, 1, id, 0x64, 9, 4, 1, 97, 0x30, 0x84, 0xff, 0xff, 0xff, 0xff),
    ],
    [
      'sends values that are no values',
      'BAD_ANSWER',
      (id) => sequence(2, 1, id, 0x64, 9, 4, 1, 97, 0x30, 4, 0x30, 2, 0x31, 0),
    ],
    ['announces 100 MB', 'TOO_LARGE', () => Buffer.from([0x30, 0x84, 6, 0x40, 0, 0])],
    [
      'sends more entries than requested',
      'TOO_LARGE',
      (id) => Buffer.concat(Array<Buffer>(3).fill(entryMessage(id, ENTRY))),
    ],
    [
      'ends the session with a notice',
      'CONNECTION_FAILED',
      () => result(0, 0x78, 52, 'going down'),
    ],
    ['reports an internal error', 'RESULT', (id) => result(id, 0x65, 80, 'x'.repeat(100_000))],
  ])('that %s fails with %s', async (_what, reason, answer) => {
    server = await startAnswering((id, socket) => socket.write(answer(id)));
    expect(await converse(server.url)).toBe(reason);
  });

  it.each([
    [
      'entries',
      (id: number) => entryMessage(id, { dn: 'cn=a', attributes: { cn: 'x'.repeat(1e6) } }),
    ],
    ['references', (id: number) => message(id, 0x73, (writer) => writer.writeString('ldap://x'))],
  ])('that sends 100 MB of %s is disconnected', async (_what, answer) => {
    const sent = { bytes: 0 };
    server = await startAnswering((id, socket) =>
      flood(socket, Buffer.concat(Array<Buffer>(50).fill(answer(id))), sent),
    );
    expect(await converse(server.url)).toBe('TOO_LARGE');
    expect(sent.bytes).toBeLessThan(MANY_BYTES);
  });

  it('that sends an answer byte by byte is understood', async () => {
    server = await startAnswering((id, socket) => {
      const bytes = [...Buffer.concat([entryMessage(id, ENTRY), result(id, 0x65, 0)])];
      const next = (): void => {
        const byte = bytes.shift();
        if (byte !== undefined) socket.write(Buffer.from([byte]), () => setImmediate(next));
      };
      socket.setNoDelay(true);
      next();
    });
    expect(await converse(server.url)).toEqual([ENTRY.dn]);
  });

  it('that refers to itself is not followed', async () => {
    server = await startAnswering((id, socket) => {
      const url = `${server?.url ?? ''}/dc=x??sub`;
      socket.write(message(id, 0x73, (writer) => writer.writeString(url)));
      socket.write(
        message(id, 0x65, (writer) => {
          writer.writeEnumeration(10);
          writer.writeString('');
          writer.writeString('');
          writer.startSequence(0xa3);
          writer.writeString(url);
          writer.endSequence();
        }),
      );
    });
    expect(await converse(server.url)).toEqual([]);
    expect(server.sockets.most).toBe(1);
  });

  it('that closes the connection fails at once', async () => {
    server = await startAnswering((_id, socket) => socket.destroy());
    expect(await converse(server.url)).toBe('CONNECTION_FAILED');
  });

  it('that says nothing fails after the timeout', async () => {
    server = await startRawLdap(() => undefined);
    expect(await converse(server.url, { timeoutMs: 200 })).toBe('TIMEOUT');
    await server.close();
    server = await startAnswering(() => undefined);
    expect(await converse(server.url, { timeoutMs: 200 })).toBe('TIMEOUT');
  });

  it('whose certificate is not trusted gets no password', async () => {
    const untrusted = await startUntrusted(() => undefined);
    try {
      const url = untrusted.url.replace(/^https/, 'ldaps');
      expect(await converse(url)).toBe('TLS_FAILED');
    } finally {
      await untrusted.close();
    }
  });

  it('without TLS fails for ldaps', async () => {
    server = await startRawLdap((socket) => socket.end('no TLS here, only text'));
    expect(await converse(server.url.replace('ldap:', 'ldaps:'))).toBe('TLS_FAILED');
  });

  it.each<[string, string, (id: number) => Buffer]>([
    ['refuses StartTLS', 'TLS_FAILED', (id) => result(id, 0x78, 2, 'no TLS')],
    [
      'sends more before TLS',
      'BAD_ANSWER',
      (id) => Buffer.concat([result(id, 0x78, 0), result(2, 0x61, 0)]),
    ],
    [
      'sends a part of a message before TLS',
      'BAD_ANSWER',
      (id) => Buffer.concat([result(id, 0x78, 0), Buffer.from([0x30])]),
    ],
  ])('that %s gets no password', async (_what, reason, answer) => {
    const tags: number[] = [];
    server = await startRawLdap((socket) => {
      const frames = new LdapFrames(({ id, operation }) => {
        tags.push(operation.tag);
        if (operation.tag === 0x77) socket.write(answer(id));
        return true;
      });
      socket.on('data', (chunk: Buffer) => frames.push(chunk));
    });
    expect(await converse(server.url, { startTls: true })).toBe(reason);
    expect(tags).not.toContain(0x60);
  });
});

describe('logins while the directory hangs', () => {
  let service: TestService;
  afterEach(() => service.close());

  const login = (email: string, password: string): Promise<Answer> =>
    loginAt(service, email, password);
  const answersOf = (answers: readonly Answer[]): [number, string][] =>
    answers.map(({ status, body }) => [status, body.message]);

  longIt('are quick for local accounts, and hold few connections', async () => {
    server = await startRawLdap(() => undefined);
    const env = { SPRING_SECURITY_LDAP_URLS: server.url, SPRING_SECURITY_LDAP_TIMEOUT: '3000' };
    service = await startService({ env });
    const ended: string[] = [];
    const waiting = Array.from({ length: 20 }, async (_each, index) => {
      const answer = await login(`user${index}@example.com`, 'password');
      ended.push('directory');
      return answer;
    });
    await until(() => (server?.sockets.open ?? 0) >= 4);
    for (let i = 0; i < 3; i += 1) {
      expect((await login(ADMIN_EMAIL, ADMIN_PASSWORD)).status).toBe(200);
      ended.push('local');
    }
    const answers = await Promise.all(waiting);
    expect(ended.slice(0, 3)).toEqual(['local', 'local', 'local']);
    expect(answersOf(answers)).toEqual(Array(20).fill([503, 'LDAP_UNAVAILABLE']));
    // The fifth one checks whether the server answers again.
    expect(server.sockets.most).toBeLessThanOrEqual(5);
  });

  it('are refused while the queue is full', async () => {
    server = await startRawLdap(() => undefined);
    service = await startService({ env: { SPRING_SECURITY_LDAP_URLS: server.url } });
    const ended: Answer[] = [];
    const waiting = Array.from({ length: 130 }, async (_each, index) =>
      ended.push(await login(`user${index}@example.com`, 'password')),
    );
    // Four are with the server, and 100 are in the queue.
    await until(() => ended.length >= 26);
    await server.close();
    await Promise.all(waiting);
    expect(answersOf(ended)).toEqual(Array(130).fill([503, 'LDAP_UNAVAILABLE']));
    expect(ended.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(130).fill('10'));
  });

  it('fail after the time-out of all servers, and then at once', async () => {
    server = await startRawLdap(() => undefined);
    const second = await startRawLdap(() => undefined);
    try {
      service = await startService({
        env: {
          SPRING_SECURITY_LDAP_URLS: `${server.url} ${second.url}`,
          SPRING_SECURITY_LDAP_TIMEOUT: '1800',
        },
      });
      const waiting = [1, 2, 3, 4].map((nth) => login(`user${nth}@example.com`, 'password'));
      const answers = await Promise.all(waiting);
      expect(answersOf(answers)).toEqual(Array(4).fill([503, 'LDAP_UNAVAILABLE']));
      expect(service.logs.map(({ reason }) => reason)).toContain('TIMEOUT');

      const opened = server.sockets.all + second.sockets.all;
      expect((await login('late@example.com', 'password')).status).toBe(503);
      expect(server.sockets.all + second.sockets.all).toBe(opened);
    } finally {
      await second.close();
    }
  });

  longIt('use the next server, and no longer try the one that hangs', async () => {
    const directory = await startDirectory(WITH_ADA);
    server = await startRawLdap(() => undefined);
    try {
      service = await startService({ env: environment(`${server.url} ${directory.url}`) });
      for (let nth = 0; nth < 3; nth += 1)
        expect((await login('ada@example.com', 'secret of ada')).status).toBe(200);
      // One for the first login, and one to check the server.
      expect(server.sockets.all).toBe(2);
    } finally {
      await directory.close();
    }
  });

  longIt.each([
    ['before it answers anything', 0],
    ['after it has answered a bind', 2],
  ])('go on when the server is back, also if it hung %s', async (_when, answered) => {
    const directory = await startDirectory(WITH_ADA);
    let isHanging = true;
    // Connections that began while the server hung stay silent.
    server = await startRawLdap((socket) => {
      const target = connect(Number(new URL(directory.url).port), '127.0.0.1');
      socket.on('close', () => target.destroy());
      target.on('error', () => undefined);
      let left = isHanging ? (socketsSeen++ < 4 ? answered : 0) : Infinity;
      socket.on('data', (chunk: Buffer) => left-- > 0 && target.write(chunk));
      target.on('data', (chunk: Buffer) => socket.write(chunk));
    });
    let socketsSeen = 0;
    try {
      service = await startService({ env: environment(server.url) });
      const waiting = Array.from({ length: 12 }, () => login('ada@example.com', 'secret of ada'));
      // The fifth connection checks the server, and finds that it does not answer.
      await until(() => (server?.sockets.all ?? 0) >= 6);
      isHanging = false;
      const statuses = (await Promise.all(waiting)).map(({ status }) => status);
      expect(statuses).toEqual(Array(12).fill(200));
    } finally {
      await directory.close();
    }
  });
});

describe('a directory that is down', () => {
  it('is a named error for its users, and none for local ones', async () => {
    const closedDirectory = await startDirectory([]);
    await closedDirectory.close();
    const other = await startService({ env: environment(closedDirectory.url) });
    try {
      const answer = await loginAt(other, 'ada@example.com', 'x');
      expect([answer.status, answer.body.message]).toEqual([503, 'LDAP_UNAVAILABLE']);
      const graphql = await other.gql(
        'mutation { login(input: { email: "ada@example.com", password: "x" }) { token } }',
        {},
        null,
      );
      expect(graphql.errors?.[0].extensions).toMatchObject({ reason: 'LDAP_UNAVAILABLE' });
      expect((await loginAt(other, ADMIN_EMAIL, ADMIN_PASSWORD)).status).toBe(200);
    } finally {
      await other.close();
    }
  });

  it('is replaced by the next server of the list', async () => {
    const closedDirectory = await startDirectory([]);
    await closedDirectory.close();
    const directory = await startDirectory(WITH_ADA);
    const other = await startService({
      env: environment(`${closedDirectory.url}, ${directory.url}`),
    });
    try {
      const answer = await loginAt(other, 'ada@example.com', 'secret of ada');
      expect(answer.status).toBe(200);
      expect(other.logs.filter(({ reason }) => reason === 'CONNECTION_FAILED')).toHaveLength(1);
    } finally {
      await other.close();
      await directory.close();
    }
  });
});
