import { randomUUID } from 'node:crypto';
import { isIP } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import type { Config } from '../../config/config';
import type { RedisConfig } from '../../config/redis';
import type { Logger } from '../log/logger';
import { createOnDemand } from '../on-demand';
import type { CommitFeed } from '../store/commits/commit-feed';

/** Loaded only if a Redis is configured. */
const ioredis = () => require('ioredis') as typeof import('ioredis');

/** Longest wait for a connection and for an answer, ms. */
const SILENCE_MS = 5_000;
/** Interval of the checks whether a message of this process comes back, ms. */
const CHECK_MS = 2_000;
/** First and longest pause before a new connection, ms. */
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 5_000;
/** Least time between two hints that this process sends, and between two looks that hints cause, ms. */
const HINT_MS = 20;

/** A message is one of these, a blank, and the sender. */
type MessageKind = 'commit' | 'check';

const DELAY = 'changes by other processes arrive up to a second late';

/**
 * Carries hints to look for commits, between the processes at one store. A hint that is lost costs
 * time only, since each process also polls: nothing ever waits for Redis.
 */
export class RedisHints {
  /** Without user and password. */
  readonly location: string;
  private readonly me = randomUUID();
  private readonly channel: string;
  private readonly stopping = new AbortController();
  private connecting: Promise<void> = Promise.resolve();
  private clients: readonly Redis[] = [];
  /** Null: no hints arrive. */
  private publisher: Redis | null = null;
  private loss: string | null = null;
  private serverVersion: string | null = null;
  private retryMs = FIRST_RETRY_MS;
  private settle: () => void = () => undefined;
  /** Resolves when hints arrive, or the first attempt has failed. */
  readonly firstOutcome = new Promise<void>((resolve) => {
    this.settle = resolve;
  });

  private readonly sending = createOnDemand(
    async () => {
      if (this.publisher === null) return;
      await this.send(this.publisher, 'commit');
      await pause(HINT_MS);
    },
    () => undefined,
  );
  private readonly looking = createOnDemand(
    async () => {
      await this.deps.feed.catchUp();
      await pause(HINT_MS);
    },
    () => undefined,
  );

  constructor(
    private readonly config: RedisConfig,
    private readonly deps: {
      readonly feed: Pick<CommitFeed, 'catchUp' | 'onNoted'>;
      readonly log: Logger;
    },
  ) {
    const { host, port, prefix } = config;
    this.location = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    this.channel = `${prefix}commits`;
  }

  /** Connects in the background, again whenever the connection is lost. */
  start(): void {
    this.deps.feed.onNoted = () => void this.sending.run();
    this.connecting = this.keepConnected();
  }

  async stop(): Promise<void> {
    this.deps.feed.onNoted = () => undefined;
    this.stopping.abort();
    this.disconnect();
    await this.connecting;
    await this.looking.idle();
  }

  /** Whether hints arrive. */
  get isUp(): boolean {
    return this.publisher !== null;
  }

  /** Of the server; null if it is not known. */
  get version(): string | null {
    return this.serverVersion;
  }

  /** What it means that no hints arrive, and why they do not. */
  get warning(): string {
    return `Redis is not reached (${this.loss ?? 'not connected yet'}): ${DELAY}.`;
  }

  private async keepConnected(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await this.exchange().catch((error: unknown) => this.reportLoss(error));
      await pause(this.retryMs, undefined, { ref: false, signal }).catch(() => undefined);
      this.retryMs = Math.min(2 * this.retryMs, MAX_RETRY_MS);
    }
  }

  /** Sends and receives hints. Rejects when a connection is lost. */
  private async exchange(): Promise<never> {
    const [publisher, subscriber] = [this.open(), this.open()];
    this.clients = [publisher, subscriber];
    const ending = new AbortController();
    try {
      return await Promise.race([
        lossOf(publisher),
        lossOf(subscriber),
        this.exchangeOver(publisher, subscriber, ending.signal),
      ]);
    } finally {
      ending.abort();
      this.publisher = null;
      this.disconnect();
    }
  }

  private async exchangeOver(
    publisher: Redis,
    subscriber: Redis,
    signal: AbortSignal,
  ): Promise<never> {
    let isCheckBack = false;
    subscriber.on('message', (_channel: string, message: string) => {
      const [kind, sender] = message.split(' ');
      if (sender === this.me) {
        isCheckBack = true;
        if (!signal.aborted) this.confirm(publisher);
      } else if (kind === ('commit' satisfies MessageKind)) void this.looking.run();
    });
    await Promise.all([publisher.connect(), subscriber.connect()]);
    await subscriber.subscribe(this.channel);
    this.serverVersion = await versionOf(publisher);
    for (;;) {
      isCheckBack = false;
      await this.send(publisher, 'check');
      await pause(CHECK_MS, undefined, { ref: false, signal });
      if (!isCheckBack) throw new Error(`no message has arrived for ${CHECK_MS / 1_000} seconds`);
    }
  }

  /** A subscriber may send no other commands, so there are two connections. */
  private open(): Redis {
    const { host, port, username, password, isEncrypted } = this.config;
    const { Redis: Client } = ioredis();
    return new Client({
      host,
      port,
      ...(username !== '' && { username }),
      ...(password !== '' && { password }),
      ...(isEncrypted && { tls: isIP(host) === 0 ? { servername: host } : {} }),
      connectTimeout: SILENCE_MS,
      commandTimeout: SILENCE_MS,
      disconnectTimeout: 0,
      disableClientInfo: true,
      lazyConnect: true,
      enableOfflineQueue: false,
      enableReadyCheck: false,
      // A lost connection is replaced, so that what is known of it ends with it.
      retryStrategy: null,
    });
  }

  private disconnect(): void {
    for (const client of this.clients) {
      // The client would end a TLS handshake in a way that can make the socket emit a second error,
      // for which it has no listener.
      (client.stream as Redis['stream'] | undefined)?.destroy();
      client.disconnect();
    }
  }

  private async send(publisher: Redis, kind: MessageKind): Promise<void> {
    await publisher.publish(this.channel, `${kind} ${this.me}`);
  }

  /** A message of this process has come back: both connections work. */
  private confirm(publisher: Redis): void {
    if (this.publisher !== null) return;
    this.publisher = publisher;
    this.retryMs = FIRST_RETRY_MS;
    if (this.loss !== null) this.deps.log.info({ redis: this.location }, 'Redis is back');
    this.loss = null;
    this.settle();
    // Hints were missed.
    void this.looking.run();
  }

  private reportLoss(error: unknown): void {
    if (this.stopping.signal.aborted) return;
    const isKnownLoss = this.loss !== null;
    this.loss = reasonOf(error);
    this.settle();
    // Errors of commands contain their arguments, such as the password.
    if (!isKnownLoss)
      this.deps.log.warn({ redis: this.location, reason: this.loss }, `no Redis: ${DELAY}`);
  }
}

/** Returns null if there is no Redis, or no other process at the store. */
export const createHints = (
  { redis }: Pick<Config, 'redis'>,
  feed: CommitFeed | null,
  log: Logger,
): RedisHints | null => redis && feed && new RedisHints(redis, { feed, log });

const lossOf = (client: Redis): Promise<never> =>
  new Promise((_resolve, reject) => {
    client.on('error', reject);
    client.on('end', () => reject(new Error('the connection was closed')));
  });

/** Returns null if the user may not read it. */
async function versionOf(client: Redis): Promise<string | null> {
  const facts = await client.info('server').catch(() => '');
  return /^redis_version:(\S+)/m.exec(facts)?.[1] ?? null;
}

/** If a name has several addresses, Node reports only the code of the failure. */
function reasonOf(error: unknown): string {
  const { message = '', code = '' } = error as NodeJS.ErrnoException;
  return message === '' ? code : message;
}
