import type { Request, RequestHandler, Response } from 'express';
import { RUN_HEADER } from '../../platform/crypto/run-marks';
import type { RunMarks } from '../../platform/crypto/run-marks';
import { TooLarge } from '../../platform/errors/errors';
import { requestUrl } from '../../platform/http/request-url';
import { plainAddress } from '../../platform/trusted-proxies';

declare module '../../platform/context' {
  interface Services {
    exampleEcho: ExampleEcho;
  }
}

export const TICKETS_PATH = '/api/example/tickets';
export const CARDS_PATH = '/api/example/cards';

/** Maximum bytes of a card. */
const MAX_CARD_BYTES = 65_536;
const TICKETS = {
  tickets: [
    { id: 17, title: 'Printer is out of paper', state: 'open' },
    { id: 18, title: 'New laptop for Grace', state: 'closed' },
    { id: 19, title: 'Mail arrives late', state: 'open' },
  ],
};
const LOOPBACK = /^(?:127\.|::1$)/;

/**
 * The systems that the example workflow calls: a list of tickets, and cards, which are returned as
 * they were sent. For everything but runs of this machine, they do not exist.
 */
export class ExampleEcho {
  constructor(private readonly marks: RunMarks) {}

  readonly handler: RequestHandler = async (request, response, next) => {
    const { path } = requestUrl(request.originalUrl);
    const isTickets = path === TICKETS_PATH && request.method === 'GET';
    const isCards = path === CARDS_PATH && request.method === 'POST';
    if (!(isTickets || isCards) || !this.isOwnRun(request)) return next();
    if (isTickets) return void response.json(TICKETS);
    await returnCard(request, response);
  };

  private isOwnRun({ headers, socket }: Request): boolean {
    const mark = headers[RUN_HEADER];
    return (
      LOOPBACK.test(plainAddress(socket.remoteAddress ?? '')) &&
      this.marks.read(typeof mark === 'string' ? mark : undefined) !== null
    );
  }
}

async function returnCard(request: Request, response: Response): Promise<void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_CARD_BYTES)
      throw new TooLarge(`A card may have ${MAX_CARD_BYTES} bytes at most.`);
    chunks.push(chunk);
  }
  response.status(201).type('json').send(Buffer.concat(chunks));
}
