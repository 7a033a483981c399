import { endOfMessage, parseMessage } from './ldap-answer';
import type { LdapMessage } from './ldap-answer';
import { LdapFailure } from './ldap-failure';

/** Maximum bytes of all answers of a server in one conversation. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** Splits the bytes of a server into messages. Joins chunks once for each message. */
export class LdapFrames {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private received = 0;
  /** Bytes that the buffered message has at least. */
  private needed = 1;

  /** @param accept called for each message; returns false to stop */
  constructor(private readonly accept: (message: LdapMessage) => boolean) {}

  /** Returns whether bytes are left that are no complete message. */
  get hasRest(): boolean {
    return this.buffered > 0;
  }

  /** @throws LdapFailure TOO_LARGE, BAD_ANSWER */
  push(chunk: Buffer): void {
    this.received += chunk.length;
    if (this.received > MAX_ANSWER_BYTES)
      throw new LdapFailure('TOO_LARGE', `sent more than ${MAX_ANSWER_BYTES} bytes`);
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered >= this.needed) this.read(Buffer.concat(this.chunks));
  }

  private read(bytes: Buffer): void {
    for (let at = 0; ;) {
      const end = endOfMessage(bytes, at);
      const rest = bytes.subarray(at);
      this.chunks = [rest];
      this.buffered = rest.length;
      if (end === null || end > bytes.length) {
        this.needed = end === null ? rest.length + 1 : end - at;
        if (this.needed > MAX_ANSWER_BYTES)
          throw new LdapFailure('TOO_LARGE', `announced an answer of ${this.needed} bytes`);
        return;
      }
      this.buffered = bytes.length - end;
      if (!this.accept(parseMessage(bytes.subarray(at, end)))) return;
      at = end;
    }
  }
}
