import type { Actor } from '../../platform/access/actor';
import type { Config } from '../../config/config';
import { Refused } from '../../platform/errors/errors';
import { hostInUrl } from '../../platform/text/host';
import type { WorkflowRecord } from '../workflows/workflow.model';
import type { WorkflowService } from '../workflows/workflow.service';
import { CARDS_PATH, TICKETS_PATH } from './example-echo';

declare module '../../platform/context' {
  interface Services {
    exampleWorkflows: ExampleWorkflows;
  }
}

const TITLE = 'Example: tickets to cards';
const GET_TICKETS = '#2F80ED';

/** Hosts to listen on, and at which loopback address a run reaches the service. */
const LOOPBACK_OF: Readonly<Record<string, string>> = {
  '0.0.0.0': '127.0.0.1',
  '::': '127.0.0.1',
  '127.0.0.1': '127.0.0.1',
  '::1': '::1',
  localhost: 'localhost',
};

/** Creates workflows to try. */
export class ExampleWorkflows {
  constructor(
    private readonly server: Pick<Config['server'], 'host'>,
    private readonly port: number,
    private readonly workflows: WorkflowService,
  ) {}

  /**
   * Creates a workflow that can run at once: it calls `ExampleEcho`.
   * @param title null: one that is free
   * @throws Conflict TITLE_HAS_ALREADY_TAKEN
   * @throws Refused EXAMPLE_NOT_AVAILABLE the service does not listen on a loopback address
   */
  async create(actor: Actor, title: string | null): Promise<WorkflowRecord> {
    const host = LOOPBACK_OF[this.server.host];
    if (host === undefined)
      throw new Refused(
        'EXAMPLE_NOT_AVAILABLE',
        `The example needs the service to listen on a loopback address, and it listens on ${this.server.host}.`,
      );
    const document = exampleDocument(
      title ?? (await this.findTitle()),
      `http://${hostInUrl(host)}:${this.port}`,
    );
    return (await this.workflows.save(actor, null, { document })).record;
  }

  private async findTitle(): Promise<string> {
    for (let number = 1; ; number += 1) {
      const title = number === 1 ? TITLE : `${TITLE} ${number}`;
      if (!(await this.workflows.titleTaken(title))) return title;
    }
  }
}

const exampleDocument = (title: string, url: string): object => ({
  title,
  description:
    'Reads tickets, and creates a card for each open one. Both systems are the service itself.',
  fromConnector: {
    connectorId: -1,
    methods: [
      {
        index: '0',
        name: 'GetTickets',
        color: GET_TICKETS,
        methodType: 'HTTP_REQUEST',
        request: { endpoint: `${url}${TICKETS_PATH}`, method: 'GET', header: {}, body: null },
      },
      {
        index: '1_0_0',
        name: 'AddCard',
        color: '#27AE60',
        methodType: 'HTTP_REQUEST',
        request: {
          endpoint: `${url}${CARDS_PATH}`,
          method: 'POST',
          header: { 'X-Source': 'Hypha' },
          body: {
            type: 'object',
            format: 'json',
            data: 'raw',
            fields: {
              ticket: `${GET_TICKETS}.(response).body.tickets[i].id`,
              title: `${GET_TICKETS}.(response).body.tickets[i].title`,
              done: false,
            },
          },
        },
      },
    ],
    operators: [
      {
        index: '1',
        type: 'loop',
        iterator: 'i',
        expression: `For({%${GET_TICKETS}.(response).body.tickets%})`,
      },
      {
        index: '1_0',
        type: 'if',
        expression: `{%${GET_TICKETS}.(response).body.tickets[i].state%} = "open"`,
      },
    ],
  },
  fieldBinding: [],
});
