import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { SOCKJS } from '../stomp/frame';
import type { Transport } from '../ws/transport';

/** Time within which a client sends its next request, ms. */
const ABSENT_MS = 5_000;
/** Bytes after which a streaming response ends: browsers keep all of it in memory. */
const MAX_STREAM_BYTES = 128 * 1024;
/** Time after which a streaming response ends, ms: a client that is gone sends no next request. */
const MAX_STREAM_MS = 60_000;
/** Bytes that a closed session keeps for its client. */
const MAX_KEPT_BYTES = 64 * 1024;
/** Some browsers report nothing of a response before they have so much. */
const PRELUDE = `${'h'.repeat(2_048)}\n`;
const HEART_BEAT = 'h';

const closeFrame = (code: number, reason: string): string =>
  SOCKJS.closeMessage?.(code, reason) ?? '';
const OTHER_IS_OPEN = closeFrame(2010, 'Another connection still open');
const INTERRUPTED = closeFrame(1002, 'Connection interrupted');

const HEADERS = {
  'Content-Type': 'application/javascript; charset=UTF-8',
  // Proxies must pass on each message at once, and compress nothing.
  'Cache-Control': 'no-store, no-cache, no-transform, must-revalidate, max-age=0',
  'X-Accel-Buffering': 'no',
} as const;

/** A frame of SockJS that waits for a request of the client. */
interface WaitingFrame {
  readonly text: string;
  readonly sent: () => void;
}

/** A request whose response carries messages to the client. */
interface Receiver {
  readonly response: ServerResponse;
  /** False: its response ends with the first message. */
  readonly isStreaming: boolean;
  readonly openedAt: number;
  bytes: number;
}

type Done = (error?: Error | null) => void;

/**
 * A SockJS session over XHR, with the interface of a WebSocket: its client reads from one response
 * after the other, and sends each message in a request of its own.
 */
export class XhrConnection extends EventEmitter implements Transport {
  readonly protocol = '';
  readonly OPEN = 1;
  private readonly CLOSING = 2;
  readonly CLOSED = 3;
  readyState: number = this.OPEN;
  private receiver: Receiver | null = null;
  private waiting: WaitingFrame[] = [];
  private waitingBytes = 0;
  /** Sent to each receiver of a closed session. */
  private last = INTERRUPTED;
  private absence: NodeJS.Timeout | undefined;
  /** Resolves when the client may send: the messages before are handled. */
  private readable = Promise.resolve();
  private setReadable: (() => void) | null = null;
  private lastReceived = Promise.resolve();

  get bufferedAmount(): number {
    return this.waitingBytes + (this.receiver?.response.writableLength ?? 0);
  }

  /** Sends the frames of the session in this response, those that wait first. */
  receive(response: ServerResponse, isStreaming: boolean): void {
    response.writeHead(200, HEADERS);
    if (isStreaming) response.write(PRELUDE);
    if (this.receiver) {
      response.end(`${OTHER_IS_OPEN}\n`);
      return;
    }
    const receiver = { response, isStreaming, openedAt: performance.now(), bytes: 0 };
    this.receiver = receiver;
    clearTimeout(this.absence);
    response.once('close', () => this.onReceiverClosed(receiver));
    // The client sees that the request has arrived.
    response.flushHeaders();
    if (this.readyState === this.CLOSED) this.sendLast();
    else this.flush();
  }

  /**
   * Handles a message, when those before are handled.
   * @param read called when the message may be read
   * @returns false if the session is closed
   */
  async deliver(read: () => Promise<Buffer>): Promise<boolean> {
    const before = this.lastReceived;
    const received = before.then(async () => {
      await this.readable;
      if (this.readyState !== this.OPEN) return false;
      this.emit('message', await read());
      return true;
    });
    this.lastReceived = received.then(
      () => undefined,
      () => undefined,
    );
    return received;
  }

  pause(): void {
    if (this.setReadable) return;
    this.readable = new Promise((resolve) => {
      this.setReadable = resolve;
    });
  }

  resume(): void {
    this.setReadable?.();
    this.setReadable = null;
  }

  send(message: string | Buffer, options: { readonly binary: false } | Done, sent?: Done): void {
    const done = typeof options === 'function' ? options : sent;
    const text = message.toString();
    this.waiting.push({ text, sent: () => done?.() });
    this.waitingBytes += text.length;
    this.flush();
  }

  close(code: number, reason: string): void {
    if (this.readyState !== this.OPEN) return;
    this.readyState = this.CLOSING;
    this.last = closeFrame(code, reason);
    this.resume();
    this.flush();
  }

  terminate(): void {
    if (this.readyState === this.CLOSED) return;
    // The client may still ask for what was sent before the service closed the session.
    const isKept = this.readyState === this.CLOSING && this.waitingBytes <= MAX_KEPT_BYTES;
    this.readyState = this.CLOSED;
    clearTimeout(this.absence);
    this.resume();
    for (const { sent } of this.waiting) sent();
    if (!isKept) this.take(this.waiting.length);
    if (this.receiver) this.sendLast();
    this.emit('close');
  }

  ping(): void {
    const { receiver } = this;
    if (!receiver || this.waiting.length > 0) return;
    if (!receiver.isStreaming || performance.now() - receiver.openedAt > MAX_STREAM_MS)
      this.end(`${HEART_BEAT}\n`);
    else receiver.response.write(`${HEART_BEAT}\n`);
  }

  private flush(): void {
    while (this.receiver && this.waiting.length > 0) {
      if (this.receiver.isStreaming) this.stream(this.receiver);
      else this.answerPoll();
    }
    if (this.readyState === this.CLOSING && this.waiting.length === 0) {
      if (this.receiver) this.end('');
      this.terminate();
    }
  }

  private stream(receiver: Receiver): void {
    const [frame] = this.take(1);
    receiver.bytes += frame.text.length;
    receiver.response.write(`${frame.text}\n`, frame.sent);
    if (receiver.bytes >= MAX_STREAM_BYTES) this.end('');
  }

  /** A poll has one frame: messages that wait together are sent in one. */
  private answerPoll(): void {
    const isMessages = ({ text }: WaitingFrame): boolean => text.startsWith('a');
    const other = this.waiting.findIndex((frame) => !isMessages(frame));
    const frames = this.take(other < 0 ? this.waiting.length : Math.max(other, 1));
    const [first] = frames;
    const text = isMessages(first)
      ? `a[${frames.map((frame) => frame.text.slice(2, -1)).join(',')}]`
      : first.text;
    this.end(`${text}\n`, () => frames.forEach(({ sent }) => sent()));
  }

  private take(count: number): WaitingFrame[] {
    const frames = this.waiting.splice(0, count);
    for (const { text } of frames) this.waitingBytes -= text.length;
    return frames;
  }

  /** Ends the response. The client is expected to send the next request in time. */
  private end(text: string, sent?: () => void): void {
    const { receiver } = this;
    this.receiver = null;
    receiver?.response.end(text, sent);
    clearTimeout(this.absence);
    if (this.readyState !== this.CLOSED)
      this.absence = setTimeout(() => this.terminate(), ABSENT_MS).unref();
  }

  /** Answers a receiver of a closed session: what waits for it, and why the session was closed. */
  private sendLast(): void {
    const frames = this.take(this.waiting.length).map(({ text }) => text);
    this.end([...frames.filter((text) => !text.startsWith('c')), this.last, ''].join('\n'));
  }

  /** What was sent last may be lost, so the session cannot go on. */
  private onReceiverClosed(receiver: Receiver): void {
    if (this.receiver !== receiver) return;
    this.receiver = null;
    this.terminate();
  }
}
