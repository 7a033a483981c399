import { createHash } from 'node:crypto';
import { isNativeError } from 'node:util/types';
import { EngineError } from '../errors';
import { IDEMPOTENT } from '../plan/plan';
import { nameField } from '../plan/step-name';
import type {
  HttpPort,
  JournalPort,
  OutboundRequest,
  OutboundResponse,
  Ports,
  RunPlace,
} from '../ports';
import { headerValue } from '../request/headers';
import type { CurrentStep } from './current-step';
import { decodeEntry, encodeEntry } from './journal-entry';
import type { JournalEntry, KeptCookie } from './journal-entry';

/** What a call is made for: a step, a WEBHOOK step, or a value of a connector such as a token. */
type Purpose = 'step' | 'webhook' | 'value';

/** Methods that need no idempotency key. */
const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Remembers what a run learned from outside: answers, results of scripts, and pauses, in order. The
 * rest of a run follows from these, so that another process which executes the workflow again from
 * the start, with the journal, arrives at the same place without sending anything.
 */
export class Journal {
  private next = 0;
  private at = '';
  /** Entries of the current attempt, and its calls with an idempotency key. */
  private nth = 0;
  private keyed = 0;
  private isFullReported = false;

  /** @param onFull called once, when the journal has reached its maximum */
  constructor(
    private readonly port: JournalPort,
    private readonly current: () => CurrentStep | null,
    private readonly onFull: () => void,
  ) {}

  /** Whether the run is at a place that an earlier process has reached. */
  get isReplaying(): boolean {
    return this.next < this.port.lines.length;
  }

  /** Where the next entry was made; null if there is none. */
  get nextPlace(): string | null {
    return this.peek()?.at ?? null;
  }

  /** The ports of a run that remembers. */
  ports<P extends Ports>(ports: P): P {
    const { scripts } = ports;
    return {
      ...ports,
      http: this.calls(ports.http, 'step'),
      ...(ports.webhooks && { webhooks: this.calls(ports.webhooks, 'webhook') }),
      scripts: {
        ready: async (languages, signal) => {
          if (!this.isReplaying) await scripts.ready?.(languages, signal);
        },
        evaluate: async (script, signal) => {
          const at = this.place();
          const entry =
            this.replayed(at, 'script') ??
            (await this.learn(at, signal, async () => {
              const json = await scripts.evaluate(script, signal);
              return { kind: 'script', at, json } as const;
            }));
          return entry.json;
        },
      },
    };
  }

  calls(http: HttpPort, purpose: Purpose): HttpPort {
    return {
      createCookies: http.createCookies?.bind(http),
      send: (request, signal) => this.send(http, purpose, request, signal),
    };
  }

  /** The pause that was chosen after a failed attempt; null: none. */
  pauseMs(choose: () => number | null): number | null {
    const at = this.place();
    const entry = this.take(at, 'pause');
    if (entry !== null) return entry.ms;
    const ms = choose();
    void this.add({ kind: 'pause', at, ms });
    return ms;
  }

  private async send(
    http: HttpPort,
    purpose: Purpose,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    const { method } = request;
    // A value of a connector is computed again whenever it is needed.
    if (purpose !== 'value' && !READING.has(method)) this.addKey(request);
    const place = this.stepPlace();
    const isUnsafe =
      purpose === 'webhook' ||
      (purpose === 'step' && !IDEMPOTENT.has(method) && place?.isRepeatable !== true);
    if (isUnsafe) await this.begin(place?.shown ?? null, signal);
    const at = this.place();
    const entry = this.replayed(at, 'answer');
    if (entry !== null) {
      request.onTime?.(entry.ms);
      for (const [url, header] of entry.cookies) request.cookies?.store(new URL(url), header);
      return entry.response;
    }
    const { observed, seen } = observe(request);
    const answer = await this.learn(at, signal, async () => {
      const response = await http.send(observed, signal);
      return { kind: 'answer', at, response, ...seen() } as const;
    });
    return answer.response;
  }

  /** Stores that a call is about to be sent which must not be sent twice. */
  private async begin(place: RunPlace | null, signal: AbortSignal): Promise<void> {
    const at = this.place();
    // If it is the last entry, a user has decided that the call is sent again.
    if (this.take(at, 'begun') !== null) return;
    await this.add({ kind: 'begun', at }, place);
    await this.port.settle();
    signal.throwIfAborted();
  }

  /** What is kept of a call or script; null if nothing is. @throws EngineError its failure */
  private replayed<Kind extends 'answer' | 'script'>(
    at: string,
    kind: Kind,
  ): (JournalEntry & { kind: Kind }) | null {
    const entry: JournalEntry | null = this.take<JournalEntry['kind']>(at, kind, 'failure');
    if (entry?.kind === 'failure')
      throw new EngineError(entry.code as EngineError['code'], entry.message);
    return entry as (JournalEntry & { kind: Kind }) | null;
  }

  /** What is learned after the run was stopped is not kept. */
  private async learn<Entry extends JournalEntry>(
    at: string,
    signal: AbortSignal,
    work: () => Promise<Entry>,
  ): Promise<Entry> {
    try {
      const entry = await work();
      if (!signal.aborted) await this.add(entry);
      return entry;
    } catch (error) {
      if (!signal.aborted && isNativeError(error) && 'code' in error)
        await this.add({ kind: 'failure', at, code: String(error.code), message: error.message });
      throw error;
    }
  }

  private async add(entry: JournalEntry, open: RunPlace | null = null): Promise<void> {
    await this.port.add(encodeEntry(entry), open);
    if (!this.port.isFull || this.isFullReported) return;
    this.isFullReported = true;
    this.onFull();
  }

  /**
   * Takes the next entry; null if there is none.
   * @throws EngineError RUN_JOURNAL_UNFIT it was made at another place
   */
  private take<Kind extends JournalEntry['kind']>(
    at: string,
    ...kinds: Kind[]
  ): (JournalEntry & { kind: Kind }) | null {
    const entry = this.peek();
    if (entry === null) return null;
    if (entry.at !== at || !kinds.includes(entry.kind as Kind)) throw unfit(entry.at, at);
    this.next += 1;
    return entry as JournalEntry & { kind: Kind };
  }

  private peek(): JournalEntry | null {
    const line = this.port.lines[this.next];
    return line === undefined ? null : decodeEntry(line);
  }

  /** Index, iterations and attempt of the current step, and the number of the entry in it. */
  private place(): string {
    this.enter();
    this.nth += 1;
    return `${this.at}/${this.nth}`;
  }

  private enter(): void {
    const current = this.current();
    const at =
      current === null
        ? ''
        : `${current.node.index}/${current.loopIndex.join('.')}/${current.attempt}`;
    if (at === this.at) return;
    this.at = at;
    this.nth = this.keyed = 0;
  }

  /** All attempts of a call have the same key. A header of the workflow wins. */
  private addKey({ headers }: OutboundRequest): void {
    this.enter();
    this.keyed += 1;
    if (headerValue(headers, 'idempotency-key') !== undefined) return;
    const { node, loopIndex } = this.current() ?? { node: null, loopIndex: [] };
    headers['Idempotency-Key'] = asUuid(
      `${this.port.key}/${node?.index ?? ''}/${loopIndex.join('.')}/${this.keyed}`,
    );
  }

  private stepPlace(): { readonly shown: RunPlace; readonly isRepeatable: boolean } | null {
    const current = this.current();
    if (current === null) return null;
    const { node, loopIndex, attempt } = current;
    return {
      shown: {
        step: node.stepId,
        ...(node.kind === 'method' && nameField(node)),
        index: node.index,
        loopIndex,
        attempt,
      },
      isRepeatable: node.kind === 'method' && node.repeatable,
    };
  }
}

/** The error of a run whose journal does not fit its workflow. */
export const unfit = (expected: string, reached: string | null): EngineError =>
  new EngineError(
    'RUN_JOURNAL_UNFIT',
    `The journal of the run goes on at ${expected}, and the run ${reached === null ? 'ended before it' : `came to ${reached}`}: something that it uses has changed.`,
  );

/** Notes what the HTTP port tells about a call besides its answer. */
function observe(request: OutboundRequest) {
  let ms = 0;
  const stored: KeptCookie[] = [];
  const { onTime, cookies } = request;
  const observed: OutboundRequest = {
    ...request,
    onTime(spent) {
      ms += spent;
      onTime?.(spent);
    },
    ...(cookies && {
      cookies: {
        get isEmpty() {
          return cookies.isEmpty;
        },
        headerFor: (url, own) => cookies.headerFor(url, own),
        store(url, header) {
          stored.push([url.href, header]);
          cookies.store(url, header);
        },
      },
    }),
  };
  return { observed, seen: () => ({ ms, cookies: stored }) };
}

/** The first bits of a hash in the form of a UUID of version 8. */
function asUuid(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
