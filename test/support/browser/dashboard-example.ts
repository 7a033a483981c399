import type { RemoteSystem } from '../peers/remote-system';
import { remoteSystem } from '../peers/remote-system';
import type { ReachedService } from '../service/harness';
import { method, saved, started, workflow } from '../documents/workflows';

const TITLES = [
  'Open tickets to the board',
  'Orders to accounting',
  'Stock of the warehouse',
  'New customers to the newsletter',
  'Invoices to the archive',
] as const;

const TICKETS = ['open', 'closed', 'open', 'open', 'closed', 'open'].map((state, at) => ({
  id: 100 + at,
  state,
  title: `Ticket ${100 + at}`,
}));

/** Workflows of an example installation and their remote system. */
export interface Example {
  readonly remote: RemoteSystem;
  /** Workflow ids, in the order of their titles. The first workflow reads tickets and makes a request for each open one. */
  readonly workflows: readonly number[];
  /** Sets the status of card requests; null restores success. */
  refuse(status: number | null): void;
  /** Makes card requests wait until the returned function is called. */
  hold(): () => void;
  close(): Promise<void>;
}

/** Reads tickets and puts the open ones on a board. */
function ticketsToBoard(url: string, title: string): object {
  const tickets = method('0', `${url}/tickets`, {
    name: 'Tickets',
    label: 'Read the tickets',
    color: '#FFCFB5',
  });
  const card = method('1_0_0', `${url}/cards`, {
    name: 'AddCard',
    label: 'Put it on the board',
    color: '#C77E7E',
    request: {
      endpoint: `${url}/cards`,
      method: 'POST',
      header: { 'Content-Type': 'application/json' },
      body: {
        type: 'object',
        format: 'json',
        data: 'raw',
        fields: { ticket: '#FFCFB5.(response).body.tickets[i].id' },
      },
    },
  });
  return workflow(
    [
      tickets,
      card,
      method('2', `${url}/done`, { name: 'Report', label: 'Tell the team', color: '#7EC7A0' }),
    ],
    [
      {
        id: 'each',
        index: '1',
        type: 'loop',
        iterator: 'i',
        expression: 'For({%#FFCFB5.(response).body.tickets%})',
      },
      {
        id: 'open',
        index: '1_0',
        type: 'if',
        expression: '{%#FFCFB5.(response).body.tickets[i].state%} = "open"',
      },
    ],
    { title, description: 'Puts a card on the board for each open ticket of the help desk' },
  );
}

export async function createExample(service: ReachedService): Promise<Example> {
  let refused: number | null = null;
  let held: Promise<void> | null = null;
  const remote = await remoteSystem(async ({ path }) => {
    if (path !== '/cards')
      return { body: path === '/tickets' ? { tickets: TICKETS } : { ok: true } };
    await held;
    return refused === null
      ? { status: 201, body: { card: 7 } }
      : { status: refused, body: { error: 'The board is full.' } };
  });
  const [first, ...others] = TITLES;
  const workflows = [await saved(service, ticketsToBoard(remote.url, first))];
  for (const title of others)
    workflows.push(
      await saved(
        service,
        workflow(
          [
            method('0', `${remote.url}/items`),
            method('1', `${remote.url}/${title.length % 2 ? 'cards' : 'items'}`),
          ],
          [],
          { title },
        ),
      ),
    );
  return {
    remote,
    workflows,
    refuse(status) {
      refused = status;
    },
    hold() {
      let release: () => void = () => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      return () => {
        held = null;
        release();
      };
    },
    close: () => remote.close(),
  };
}

/** Creates a schedule of a workflow and returns its id. */
export async function scheduled(
  service: ReachedService,
  workflowId: number,
  title: string,
  cron: string,
  enabled = true,
): Promise<number> {
  const { scheduleCreate } = await service.data(
    'mutation($input: ScheduleCreateInput!) { scheduleCreate(input: $input) { schedule { databaseId } userErrors { message } } }',
    {
      input: {
        workflowId: String(workflowId),
        title,
        cron,
        enabled,
        timeZone: 'Europe/Berlin',
        logging: true,
      },
    },
  );
  if (!scheduleCreate.schedule)
    throw new Error(`The schedule was not made: ${JSON.stringify(scheduleCreate.userErrors)}`);
  return scheduleCreate.schedule.databaseId as number;
}

/** Starts a run of each workflow. */
export async function runAll(
  service: ReachedService,
  workflows: readonly number[],
  logging = false,
): Promise<number[]> {
  const runs: number[] = [];
  for (const id of workflows) runs.push(await started(service, id, logging));
  return runs;
}
