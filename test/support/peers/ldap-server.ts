import type { Socket } from 'node:net';
import { BerReader, BerWriter, BindRequest, PagedResultsControl, SearchRequest } from 'ldapts';
import { LdapFrames } from '../../../src/platform/outbound/ldap/ldap-frames';
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

/** A directory with a limit of its own, as OpenLDAP has: the most entries of a search. */
export interface TestDirectory extends RunningLdap {
  sizeLimit: number;
}

const BIND = 0x60;
const SEARCH = 0x63;
const PAGED_RESULTS = '1.2.840.113556.1.4.319';

/** A message of the server with this operation tag, and a cookie of paged results, if any. */
export function message(
  id: number,
  tag: number,
  write: (writer: BerWriter) => void,
  cookie = '',
): Buffer {
  const writer = new BerWriter();
  writer.startSequence();
  writer.writeInt(id);
  writer.startSequence(tag);
  write(writer);
  writer.endSequence();
  if (cookie !== '') {
    writer.startSequence(0xa0);
    new PagedResultsControl({ value: { size: 0, cookie: Buffer.from(cookie) } }).write(writer);
    writer.endSequence();
  }
  writer.endSequence();
  return writer.buffer;
}

export const result = (
  id: number,
  tag: number,
  code: number,
  diagnostic = '',
  cookie = '',
): Buffer =>
  message(
    id,
    tag,
    (writer) => {
      writer.writeEnumeration(code);
      writer.writeString('');
      writer.writeString(diagnostic);
    },
    cookie,
  );

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
export async function startDirectory(entries: readonly Entry[]): Promise<TestDirectory> {
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
  const search = (id: number, reader: BerReader, controls: Buffer): Buffer => {
    const request = new SearchRequest({ messageId: id, filter: undefined as never });
    request.parse(reader, []);
    const { baseDN, filter, scope } = request;
    requests.push(`search ${baseDN} ${filter.toString()}`);
    if (!entries.some(({ dn }) => dn === baseDN)) return result(id, 0x65, 32);
    const below = (dn: string): boolean =>
      scope === 'base' ? dn === baseDN : dn === baseDN || dn.endsWith(`,${baseDN}`);
    const all = entries.filter(
      (entry) => below(entry.dn) && (scope === 'base' || matches(entry, filter)),
    );
    const limit = Math.min(directory.sizeLimit, request.sizeLimit || Infinity);
    const page = pageOf(controls);
    // As Active Directory: at most 1,000 entries at once, with pages or without.
    const end = page.from + Math.min(page.size, 1_000);
    const shown = all.slice(page.from, Math.min(end, limit));
    const isLast = !page.isPaged || end >= Math.min(all.length, limit);
    const isCut = page.from + shown.length < all.length && isLast;
    return Buffer.concat([
      ...shown.map((entry) => entryMessage(id, entry)),
      // A reference to another server, which is to be ignored.
      message(id, 0x73, (writer) => writer.writeString('ldap://elsewhere.example/dc=x')),
      result(id, 0x65, isCut ? 4 : 0, '', isLast ? '' : String(end)),
    ]);
  };
  const server = await startRawLdap((socket) => {
    const frames = new LdapFrames(({ id, operation: { tag, content }, controls }) => {
      if (tag === BIND) socket.write(bind(id, new BerReader(content)));
      else if (tag === SEARCH) socket.write(search(id, new BerReader(content), controls));
      return true;
    });
    socket.on('data', (chunk: Buffer) => frames.push(chunk));
  });
  const directory: TestDirectory = { ...server, requests, sizeLimit: Infinity };
  return directory;
}

/** Reads the control of paged results. Its cookies are the number of entries before the page. */
function pageOf(controls: Buffer): { isPaged: boolean; from: number; size: number } {
  if (controls.length === 0) return { isPaged: false, from: 0, size: Infinity };
  const control = new BerReader(controls);
  control.readSequence();
  if (control.readString() !== PAGED_RESULTS) throw new Error('The control is not known.');
  control.readBoolean();
  const value = new BerReader(control.readString(0x04, true) ?? Buffer.alloc(0));
  value.readSequence();
  const size = value.readInt() ?? 0;
  return { isPaged: true, from: Number(value.readString()), size };
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
