import type { Long } from 'bson';
import { StoreError } from '../errors';
import { encodeResult } from '../storage/documents';
import { decodeDocument } from '../values/bson-elements';
import type { Doc } from '../values/values';

/**
 * Supports the protocol as used by the official driver: OP_MSG, and OP_QUERY for its first hello.
 */
const MAX_MESSAGE_BYTES = 48_000_000;

const HEADER = 16;
const Op = { reply: 1, query: 2004, msg: 2013 } as const;
const Flag = { checksumPresent: 1, moreToCome: 2 } as const;
/** Flags that the receiver must understand; others may be ignored. */
const REQUIRED_FLAGS = 0xffff;

/** A command. Document lists in separate sections (kind 1) are merged into it. */
export interface Message {
  readonly requestId: number;
  readonly legacy: boolean;
  /** The client expects no reply. */
  readonly silent: boolean;
  readonly command: Doc;
}

/** A batch of a cursor; documents are copied into the reply without decoding. */
interface CursorReply {
  readonly namespace: string;
  readonly id: Long;
  readonly batch: 'firstBatch' | 'nextBatch';
  readonly documents: readonly Buffer[];
}

export type Reply = Doc | { readonly cursorReply: CursorReply };

/** Splits a byte stream into messages. @throws StoreError invalid length */
export class MessageReader {
  private pending: Buffer[] = [];
  private size = 0;

  *push(bytes: Buffer): Generator<Buffer> {
    this.pending.push(bytes);
    this.size += bytes.length;
    while (this.size >= 4) {
      const length = this.peek(4).readInt32LE(0);
      if (length < HEADER || length > MAX_MESSAGE_BYTES)
        throw protocolError(`a message of ${length} bytes`);
      if (this.size < length) return;
      const all = this.peek(this.size);
      this.pending = all.length > length ? [all.subarray(length)] : [];
      this.size -= length;
      yield all.subarray(0, length);
    }
  }

  private peek(length: number): Buffer {
    if (this.pending[0].length < length) this.pending = [Buffer.concat(this.pending)];
    return this.pending[0];
  }
}

export function parseMessage(bytes: Buffer): Message {
  const requestId = bytes.readInt32LE(4);
  const opCode = bytes.readInt32LE(12);
  if (opCode === Op.query) return parseQuery(bytes, requestId);
  if (opCode !== Op.msg) throw protocolError(`operation code ${opCode}`);
  const flags = bytes.readUInt32LE(HEADER);
  const unknown = flags & REQUIRED_FLAGS & ~(Flag.checksumPresent | Flag.moreToCome);
  if (unknown !== 0) throw protocolError(`a message with the flags ${unknown}`);
  const end = bytes.length - (flags & Flag.checksumPresent ? 4 : 0);
  let command: Doc | undefined;
  const sequences: Array<[string, Doc[]]> = [];
  for (let at = HEADER + 4; at < end;) {
    const kind = bytes[at++];
    const size = bytes.readInt32LE(at);
    if (size < 5 || at + size > end) throw protocolError('a section longer than its message');
    if (kind === 0) command = decodeDocument(bytes.subarray(at, at + size));
    else if (kind === 1) sequences.push(parseSequence(bytes.subarray(at, at + size)));
    else throw protocolError(`a section of kind ${kind}`);
    at += size;
  }
  if (command === undefined) throw protocolError('a message without a command');
  return {
    requestId,
    legacy: false,
    silent: (flags & Flag.moreToCome) !== 0,
    command: { ...command, ...Object.fromEntries(sequences) },
  };
}

function parseSequence(bytes: Buffer): [string, Doc[]] {
  const nameEnd = bytes.indexOf(0, 4);
  const documents: Doc[] = [];
  for (let at = nameEnd + 1; at < bytes.length;) {
    const size = bytes.readInt32LE(at);
    if (size < 5 || at + size > bytes.length)
      throw protocolError('a document longer than its section');
    documents.push(decodeDocument(bytes.subarray(at, at + size)));
    at += size;
  }
  return [bytes.toString('utf8', 4, nameEnd), documents];
}

function parseQuery(bytes: Buffer, requestId: number): Message {
  const nameEnd = bytes.indexOf(0, HEADER + 4);
  const query = decodeDocument(bytes.subarray(nameEnd + 9));
  return { requestId, legacy: true, silent: false, command: { ...query, $db: 'admin' } };
}

let lastRequestId = 0;

/** The bytes of a reply. */
export function formatReply(message: Message, reply: Reply): Buffer[] {
  const body =
    'cursorReply' in reply ? formatCursor(reply.cursorReply as CursorReply) : [encodeResult(reply)];
  const size = body.reduce((sum, { length }) => sum + length, 0);
  return message.legacy ? [legacyHeader(message, size), ...body] : [header(message, size), ...body];
}

function header(message: Message, size: number): Buffer {
  const bytes = Buffer.alloc(HEADER + 5);
  writeHeader(bytes, bytes.length + size, message.requestId, Op.msg);
  return bytes;
}

function legacyHeader(message: Message, size: number): Buffer {
  const bytes = Buffer.alloc(HEADER + 20);
  writeHeader(bytes, bytes.length + size, message.requestId, Op.reply);
  bytes.writeInt32LE(8, HEADER);
  bytes.writeInt32LE(1, HEADER + 16);
  return bytes;
}

function writeHeader(bytes: Buffer, length: number, responseTo: number, opCode: number): void {
  lastRequestId = (lastRequestId + 1) & 0x7fff_ffff;
  bytes.writeInt32LE(length, 0);
  bytes.writeInt32LE(lastRequestId, 4);
  bytes.writeInt32LE(responseTo, 8);
  bytes.writeInt32LE(opCode, 12);
}

const Type = { document: 0x03, array: 0x04, string: 0x02, int64: 0x12, double: 0x01 } as const;

/**
 * `{ cursor: { firstBatch: [...], id, ns }, ok: 1 }`, built from bytes to avoid decoding documents.
 */
function formatCursor({ batch, documents, id, namespace }: CursorReply): Buffer[] {
  const elements = documents.flatMap((document, index) => [
    name(Type.document, String(index)),
    document,
  ]);
  const array = wrap(elements);
  const ns = Buffer.from(`${namespace}\0`, 'utf8');
  const nsLength = Buffer.alloc(4);
  nsLength.writeInt32LE(ns.length, 0);
  const cursor = wrap([
    name(Type.array, batch),
    ...array,
    name(Type.int64, 'id'),
    Buffer.from(id.toBytesLE()),
    name(Type.string, 'ns'),
    nsLength,
    ns,
  ]);
  const one = Buffer.alloc(8);
  one.writeDoubleLE(1, 0);
  return wrap([name(Type.document, 'cursor'), ...cursor, name(Type.double, 'ok'), one]);
}

function name(type: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([type]), Buffer.from(`${text}\0`, 'utf8')]);
}

function wrap(parts: readonly Buffer[]): Buffer[] {
  const length = Buffer.alloc(4);
  length.writeInt32LE(
    parts.reduce((sum, part) => sum + part.length, 5),
    0,
  );
  return [length, ...parts, Buffer.from([0])];
}

const protocolError = (subject: string): StoreError =>
  new StoreError('ProtocolError', `the embedded store cannot read ${subject}`);
