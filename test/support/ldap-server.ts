import type { Socket } from 'node:net';
import { BerReader, BerWriter, BindRequest, SearchRequest } from 'ldapts';
import { LdapFrames } from '../../src/platform/outbound/ldap/ldap-frames';
import { startTcpServer } from './tcp-server';
import type { TcpServer } from './tcp-server';

/** An entry of a directory: attributes with their values. */
export interface Entry {
  readonly dn: string;
  readonly password?: string;
  readonly attributes: Readonly<Record<string, string | readonly string[]>>;
}

export interface RunningLdap extends Pick<TcpServer, 'sockets' | 'close'> {
  readonly url: string;
  /** `bind DN` or `search BASE FILTER`, in order. */
  readonly requests: string[];
}

const BIND = 0x60;
const SEARCH = 0x63;

/** A message of the server with this operation tag. */
export function message(id: number, tag: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  writer.endSequence();
  return writer.buffer;
}

export const result = (id: number, tag: number, code: number, diagnostic = ''): Buffer =>
  message(id, tag, (writer) => {
    writer.writeEnumeration(code);
    writer.writeString('');
    writer.writeString(diagnostic);
  });

export const entryMessage = (id: number, { dn, attributes }: Entry): Buffer =>
  message(id, 0x64, (writer) => {
    writer.writeString(dn);
    writer.startSequence();
    for (const [type, values] of Object.entries(attributes)) {
      writer.startSequence();
      writer.writeString(type);
      writer.startSequence(0x31);
      for (const value of [values].flat()) writer.writeString(value);
      writer.endSequence();
      writer.endSequence();
    }
    writer.endSequence();
  });

/** A directory that does with each connection what a test says. */
export async function startRawLdap(serve: (socket: Socket) => void): Promise<RunningLdap> {
  const { port, ...server } = await startTcpServer(serve);
  return { ...server, url: `ldap://127.0.0.1:${port}`, requests: [] };
}

/** Answers `respond` to each search, and success to each bind. */
export const startAnswering = (respond: (id: number, socket: Socket) => void) =>
  startRawLdap((socket) => {
    const frames = new LdapFrames(({ id, operation }) => {
      if (operation.tag === BIND) socket.write(result(id, 0x61, 0));
      else if (operation.tag === SEARCH) respond(id, socket);
      return true;
    });
    socket.on('data', (chunk: Buffer) => frames.push(chunk));
  });

/** A small directory. `entries` may be changed while it runs. */
export async function startDirectory(entries: readonly Entry[]): Promise<RunningLdap> {
  const requests: string[] = [];
  const bind = (id: number, reader: BerReader): Buffer => {
    const request = new BindRequest({ messageId: id });
    request.parse(reader, []);
    requests.push(`bind ${request.dn}`);
    // As OpenLDAP: a bind without a password is anonymous, and succeeds.
    const isRight =
      request.password === '' ||
      entries.some(({ dn, password }) => dn === request.dn && password === request.password);
    return result(id, 0x61, isRight ? 0 : 49);
  };
  const search = (id: number, reader: BerReader): Buffer => {
    const request = new SearchRequest({ messageId: id, filter: undefined as never });
    request.parse(reader, []);
    const { baseDN, filter, scope, sizeLimit } = request;
    requests.push(`search ${baseDN} ${filter.toString()}`);
    const below = (dn: string): boolean =>
      scope === 'base' ? dn === baseDN : dn === baseDN || dn.endsWith(`,${baseDN}`);
    const found = entries.filter(
      (entry) => below(entry.dn) && (scope === 'base' || matches(entry, filter)),
    );
    const shown = sizeLimit > 0 ? found.slice(0, sizeLimit) : found;
    return Buffer.concat([
      ...shown.map((entry) => entryMessage(id, entry)),
      // A reference to another server, which is to be ignored.
      message(id, 0x73, (writer) => writer.writeString('ldap://elsewhere.example/dc=x')),
      result(id, 0x65, shown.length < found.length ? 4 : 0),
    ]);
  };
  const server = await startRawLdap((socket) => {
    const frames = new LdapFrames(({ id, operation: { tag, content } }) => {
      if (tag === BIND) socket.write(bind(id, new BerReader(content)));
      else if (tag === SEARCH) socket.write(search(id, new BerReader(content)));
      return true;
    });
    socket.on('data', (chunk: Buffer) => frames.push(chunk));
  });
  return { ...server, requests };
}

interface Matching {
  matches(entry: Record<string, string>): boolean;
}

function matches({ attributes }: Entry, filter: Matching): boolean {
  const all = Object.entries({ objectClass: 'top', ...attributes }).map(([name, values]) => [
    name.toLowerCase(),
    [values].flat(),
  ]);
  const first = Object.fromEntries(all.map(([name, [value]]) => [name, value]));
  return (all as [string, string[]][]).some(([name, values]) =>
    values.some((value) => filter.matches({ ...first, [name]: value })),
  );
}
