import { connect as connectPlain, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecure } from 'node:tls';
import { pinnedLookup } from '../address-policy';
import type { AddressPolicy } from '../address-policy';
import { isTlsCode } from '../outbound-error';
import { ANSWER, nextPageOf, parseEntry, parseResult } from './ldap-answer';
import type { LdapEntry, LdapMessage, LdapResult } from './ldap-answer';
import { ldapts, searchRequest } from './ldap-search';
import type { LdapFound, LdapSearch } from './ldap-search';
import { LdapFrames } from './ldap-frames';
import { describeResult, LDAP_RESULT, LdapFailure } from './ldap-failure';

/** A directory server, and how it is called. */
interface LdapTarget {
  /** `ldap://host[:port]` or `ldaps://host[:port]`. */
  readonly url: string;
  /** Upgrades a connection of `ldap://` with StartTLS before anything else is sent. */
  readonly startTls: boolean;
  /** PEM certificates to trust in place of those of Node.js. */
  readonly ca: string | null;
  /** Maximum duration of the whole conversation, ms. */
  readonly timeoutMs: number;
  /** For a server that a caller names; null for servers of the operator's configuration. */
  readonly policy: AddressPolicy | null;
  /** Ends the conversation. */
  readonly signal?: AbortSignal;
}

const START_TLS_OID = '1.3.6.1.4.1.1466.20037';
/** The result of a request; of a page of a search also the cookie for the next one. */
interface SearchResult extends LdapResult {
  readonly nextPage: Buffer | null;
}

interface Pending {
  readonly id: number;
  readonly entries: LdapEntry[];
  readonly maxEntries: number;
  readonly resolve: (result: SearchResult) => void;
  readonly reject: (failure: LdapFailure) => void;
}

/**
 * A conversation with one directory server, one request after the other. Everything that the server
 * does wrong ends it with an `LdapFailure`: the first one is thrown by the current and all later
 * requests. Referrals are not followed.
 */
export class LdapConnection {
  /** Whether the server has answered a request. */
  hasAnswered = false;
  private socket: Socket;
  private failure: LdapFailure | null = null;
  private pending: Pending | null = null;
  private lastId = 0;
  private readonly frames = new LdapFrames((message) => this.accept(message));
  private readonly timer: NodeJS.Timeout;
  private readonly abort = (): void => this.fail('CONNECTION_FAILED', 'was disconnected');
  private readonly isSecure: boolean;
  private readonly host: string;
  private readonly place: string;

  private constructor(private readonly target: LdapTarget) {
    const { hostname, port, protocol } = new URL(target.url);
    this.isSecure = protocol === 'ldaps:';
    this.host = hostname.replace(/^\[(.*)\]$/, '$1');
    const number = Number(port) || (this.isSecure ? 636 : 389);
    this.place = `${hostname}:${number}`;
    const { policy } = target;
    if (policy && (policy.refusesHost(this.host) || this.isRefusedAddress(policy)))
      throw new LdapFailure(
        'ADDRESS_REFUSED',
        `The address policy refuses calls to ${this.place}.`,
      );
    const options = {
      host: this.host,
      port: number,
      ...(policy && { lookup: pinnedLookup(policy) }),
    };
    this.socket = this.isSecure
      ? connectSecure({ ...options, ...this.secureOptions() })
      : connectPlain(options);
    this.timer = setTimeout(
      () => this.fail('TIMEOUT', `did not answer within ${target.timeoutMs} ms`),
      target.timeoutMs,
    );
    this.listen();
    target.signal?.addEventListener('abort', this.abort, { once: true });
    if (target.signal?.aborted) this.abort();
  }

  /**
   * Connects, with TLS if the target says so.
   * @throws LdapFailure
   */
  static async open(target: LdapTarget): Promise<LdapConnection> {
    const connection = new LdapConnection(target);
    try {
      await connection.connected(connection.isSecure ? 'secureConnect' : 'connect');
      if (target.startTls && !connection.isSecure) await connection.startTls();
      return connection;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  /**
   * Returns the result of a simple bind. An empty name or password would be an anonymous bind that
   * always succeeds, so they are not sent.
   * @throws LdapFailure if there is no result
   */
  async bind(name: string, password: string): Promise<LdapResult> {
    if (name === '' || password === '') throw new Error('A bind needs a name and a password.');
    const messageId = this.nextId();
    const { BindRequest } = ldapts();
    return this.request(new BindRequest({ messageId, dn: name, password }), messageId);
  }

  /**
   * Returns the entries of a search; none if the base does not exist.
   * @throws LdapFailure if the search fails
   */
  async search(search: LdapSearch): Promise<LdapFound> {
    const { base, maxEntries } = search;
    const entries: LdapEntry[] = [];
    const result = { entries, isCut: false, isBaseMissing: false };
    let page: Buffer | null = null;
    do {
      const { code, diagnostic, nextPage } = await this.searchPage(search, entries, page);
      if (code === LDAP_RESULT.sizeLimitExceeded) return { ...result, isCut: true };
      if (code === LDAP_RESULT.referral || code === LDAP_RESULT.noSuchObject)
        return { ...result, entries: [], isBaseMissing: true };
      if (code !== LDAP_RESULT.success)
        throw new LdapFailure(
          'RESULT',
          `${this.place} refused the search in "${base}": ${describeResult(code, diagnostic)}.`,
          code,
        );
      page = nextPage;
    } while (page !== null && entries.length < maxEntries);
    return { ...result, isCut: page !== null };
  }

  /** @param page null for the first one */
  private searchPage(
    search: LdapSearch,
    entries: LdapEntry[],
    page: Buffer | null,
  ): Promise<SearchResult> {
    const messageId = this.nextId();
    const request = searchRequest(search, { messageId, page, timeoutMs: this.target.timeoutMs });
    const { maxEntries, pageSize = 0 } = search;
    return this.request(request, messageId, entries, maxEntries + pageSize);
  }

  /** Ends the connection. Does nothing if it has ended. */
  close(): void {
    if (this.failure === null && this.socket.writable) {
      const { UnbindRequest } = ldapts();
      this.socket.write(new UnbindRequest({ messageId: this.nextId() }).write());
      this.socket.end();
    }
    this.abort();
  }

  private nextId(): number {
    this.lastId += 1;
    return this.lastId;
  }

  private async startTls(): Promise<void> {
    const messageId = this.nextId();
    const { ExtendedRequest } = ldapts();
    const { code, diagnostic } = await this.request(
      new ExtendedRequest({ messageId, oid: START_TLS_OID }),
      messageId,
    );
    if (code !== LDAP_RESULT.success)
      throw new LdapFailure(
        'TLS_FAILED',
        `${this.place} refused StartTLS: ${describeResult(code, diagnostic)}.`,
        code,
      );
    // Bytes after the answer were sent without TLS: they could be of an attacker.
    if (this.frames.hasRest) this.fail('BAD_ANSWER', 'sent data before TLS was started');
    if (this.failure) throw this.failure;
    const plain = this.socket;
    plain.removeAllListeners('data').removeAllListeners('close');
    this.socket = connectSecure({ socket: plain, ...this.secureOptions() });
    this.listen();
    await this.connected('secureConnect');
  }

  private secureOptions() {
    const { ca } = this.target;
    return {
      ...(isIP(this.host) === 0 && { servername: this.host }),
      // Without a server name, Node.js would check a certificate for `localhost`.
      ...(isIP(this.host) !== 0 && { host: this.host }),
      ...(ca !== null && { ca }),
    };
  }

  private isRefusedAddress(policy: AddressPolicy): boolean {
    return isIP(this.host) !== 0 && policy.refusesAddress(this.host, this.host);
  }

  private connected(event: 'connect' | 'secureConnect'): Promise<void> {
    return new Promise((resolve, reject) => {
      this.pending = {
        id: 0,
        entries: [],
        maxEntries: 0,
        resolve: () => resolve(),
        reject,
      };
      this.rejectIfFailed();
      this.socket.once(event, () =>
        this.settle({ code: LDAP_RESULT.success, diagnostic: '', nextPage: null }),
      );
    });
  }

  private listen(): void {
    this.socket.on('data', (chunk: Buffer) => this.receive(chunk));
    this.socket.on('close', () => this.fail('CONNECTION_FAILED', 'closed the connection'));
    this.socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
      if (isTlsCode(error.code ?? ''))
        this.fail('TLS_FAILED', `has no valid TLS connection (${code})`);
      else this.fail('CONNECTION_FAILED', `cannot be reached (${code})`);
    });
  }

  private request(
    message: { write(): Buffer },
    id: number,
    entries: LdapEntry[] = [],
    maxEntries = 0,
  ): Promise<SearchResult> {
    return new Promise((resolve, reject) => {
      this.pending = { id, entries, maxEntries, resolve, reject };
      this.rejectIfFailed();
      if (this.pending) this.socket.write(message.write());
    });
  }

  private rejectIfFailed(): void {
    if (this.failure === null) return;
    this.pending?.reject(this.failure);
    this.pending = null;
  }

  private settle(result: SearchResult): void {
    const { pending } = this;
    this.pending = null;
    pending?.resolve(result);
  }

  private fail(reason: LdapFailure['reason'], detail: string): void {
    this.failure ??= new LdapFailure(reason, `${this.place} ${detail}.`);
    clearTimeout(this.timer);
    this.target.signal?.removeEventListener('abort', this.abort);
    this.socket.destroy();
    this.rejectIfFailed();
  }

  private receive(chunk: Buffer): void {
    if (this.failure !== null) return;
    try {
      this.frames.push(chunk);
    } catch (error) {
      if (!(error instanceof LdapFailure)) throw error;
      this.fail(error.reason, error.message);
    }
  }

  /** Returns false if the conversation has ended. */
  private accept({ id, operation, controls }: LdapMessage): boolean {
    const { pending } = this;
    this.hasAnswered = true;
    if (id === 0) {
      const { code, diagnostic } = parseResult(operation);
      this.fail('CONNECTION_FAILED', `ended the connection: ${describeResult(code, diagnostic)}`);
    } else if (pending?.id !== id) this.fail('BAD_ANSWER', 'answered a request that was not sent');
    else if (operation.tag === ANSWER.entry) {
      pending.entries.push(parseEntry(operation));
      if (pending.entries.length > pending.maxEntries)
        this.fail('TOO_LARGE', `sent more than the requested ${pending.maxEntries} entries`);
    } else if (operation.tag !== ANSWER.reference)
      this.settle({ ...parseResult(operation), nextPage: nextPageOf(controls) });
    return this.failure === null;
  }
}
