import type { Core } from '../../platform/core';
import { Unavailable } from '../../platform/errors/errors';
import { LdapFailure } from '../../platform/outbound';
import type { LdapConnection } from '../../platform/outbound';
import { LdapSteps } from './ldap-steps';
import type { LdapSettings } from './ldap-steps';
import { ServerStates } from './server-states';

/** Failures of the server. Others may come from one user, and must not affect the next one. */
const BROKEN: ReadonlySet<LdapFailure['reason']> = new Set([
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'TIMEOUT',
]);
const RETRY_AFTER_SECONDS = 10;

/** Time limit of a probe of one server, ms. */
const PROBE_MS = 4_000;

/** Which servers accepted the bind account, and why the others did not. */
export interface LdapProbe {
  readonly working: readonly string[];
  readonly failures: readonly string[];
}

/** Requests of a conversation in which the bind account is signed in. */
type Ask<R> = (connection: LdapConnection) => Promise<R>;

export const unavailable = (): Unavailable =>
  new Unavailable(
    'The LDAP directory does not answer. Try again later.',
    RETRY_AFTER_SECONDS,
    'LDAP_UNAVAILABLE',
  );

/** The servers of the configuration: asks the first one that works. */
export class LdapServers {
  private readonly states: ServerStates;
  private parsedSteps: LdapSteps | null = null;
  private readonly stopping = new AbortController();

  constructor(
    private readonly settings: LdapSettings,
    private readonly core: Pick<Core, 'clock' | 'log'>,
  ) {
    this.states = new ServerStates(
      settings.urls,
      (url, timeoutMs) => this.answers(url, timeoutMs),
      () => core.clock.now().getTime(),
    );
  }

  /** Created at the first sign-in: parsing its filters loads the LDAP library. */
  get steps(): LdapSteps {
    this.parsedSteps ??= new LdapSteps(this.settings);
    return this.parsedSteps;
  }

  /** @throws Unavailable LDAP_UNAVAILABLE if all servers are down */
  async requireUsable(): Promise<void> {
    if (!(await this.states.areUsable())) throw unavailable();
  }

  /** Ends all conversations. */
  close(): void {
    this.stopping.abort();
  }

  /** Returns the result of the first server that works. @throws Unavailable LDAP_UNAVAILABLE */
  async ask<R>(endsAt: number, ask: Ask<R>): Promise<R> {
    const { log } = this.core;
    const urls = this.states.inOrder();
    for (const [at, url] of urls.entries()) {
      const left = urls.length - at;
      // Each server gets an equal part of the remaining time.
      const now = performance.now();
      const serverEndsAt = now + (endsAt - now) / left;
      if (serverEndsAt - now < 1) break;
      try {
        const result = await this.askServer(
          url,
          { endsAt: serverEndsAt, hasOthers: left > 1 },
          ask,
        );
        this.states.worked(url);
        return result;
      } catch (error) {
        if (!(error instanceof LdapFailure)) throw error;
        // After a long wait for a slot, too little time may be left even for a server that works.
        const hadTime = serverEndsAt - now >= this.settings.timeoutMs / (4 * urls.length);
        if (BROKEN.has(error.reason) && (hadTime || error.reason !== 'TIMEOUT'))
          this.states.failed(url);
        log.warn({ url, reason: error.reason }, `LDAP: ${error.message}`);
      }
    }
    throw unavailable();
  }

  /** Asks one server, again if it comes back after it did not answer. @throws LdapFailure */
  private async askServer<R>(
    url: string,
    { endsAt, hasOthers }: { readonly endsAt: number; readonly hasOthers: boolean },
    ask: Ask<R>,
  ): Promise<R> {
    for (;;) {
      const attempt = new AbortController();
      let connection: LdapConnection | null = null;
      const limits = {
        timeoutMs: Math.max(1, Math.floor(endsAt - performance.now())),
        signal: AbortSignal.any([this.stopping.signal, attempt.signal]),
      };
      const onOpen = (opened: LdapConnection): void => void (connection = opened);
      const answer = this.converse(url, limits, ask, onOpen).then((result) => ({ result }));
      answer.catch(() => undefined);
      const hasAnswered = (): boolean => connection?.hasAnswered === true;
      const change = this.states.watch(url, { hasAnswered, hasOthers }, attempt.signal);
      try {
        const first = await Promise.race([answer, change]);
        if (typeof first === 'object' && first !== null) return first.result;
        if (first === 'silent')
          throw new LdapFailure('TIMEOUT', `${url} does not answer; the next server is tried.`);
        this.debug({ url }, 'LDAP: the server answers again');
      } finally {
        attempt.abort();
      }
    }
  }

  private async converse<R>(
    url: string,
    limits: { readonly timeoutMs: number; readonly signal: AbortSignal },
    ask: Ask<R>,
    onOpen: (connection: LdapConnection) => void = () => undefined,
  ): Promise<R> {
    this.debug({ url }, 'LDAP: connecting');
    const connection = await this.steps.connect(url, limits);
    onOpen(connection);
    try {
      await this.steps.bind(connection);
      // Without a bind account nothing was answered yet, and a slow search would look like a silent server.
      if (this.settings.username === null) await this.requireAnswer(connection);
      return await ask(connection);
    } finally {
      connection.close();
    }
  }

  /** Any answer is one: servers may keep their root entry from anonymous clients. */
  private async requireAnswer(connection: LdapConnection): Promise<void> {
    await this.steps.exists(connection, '').catch((error: unknown) => {
      if (!(error instanceof LdapFailure) || error.reason !== 'RESULT') throw error;
    });
  }

  /** Connects to each server and signs in as the bind account, without affecting logins. */
  async probe(): Promise<LdapProbe> {
    const { urls } = this.settings;
    const results = await Promise.all(urls.map((url) => this.checkServer(url, PROBE_MS)));
    return {
      working: urls.filter((_url, at) => results[at] === null),
      failures: results.flatMap((failure) => failure?.message ?? []),
    };
  }

  /** Connects and signs in as the bind account. Returns the failure, or null. */
  private async checkServer(url: string, timeoutMs: number): Promise<LdapFailure | null> {
    try {
      const limits = { timeoutMs, signal: this.stopping.signal };
      await this.converse(url, limits, () => Promise.resolve());
      return null;
    } catch (error) {
      if (!(error instanceof LdapFailure)) throw error;
      return error;
    }
  }

  /** Returns whether a server answers, whatever it answers. */
  private async answers(url: string, timeoutMs: number): Promise<boolean> {
    const failure = await this.checkServer(url, timeoutMs);
    return failure === null || failure.reason === 'RESULT';
  }

  /** With the level DEBUG of the configuration, steps are logged like other information. */
  debug(fields: object, message: string): void {
    if (this.settings.debug) this.core.log.info(fields, message);
    else this.core.log.debug(fields, message);
  }
}
