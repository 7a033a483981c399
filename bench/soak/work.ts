import { setTimeout as pause } from 'node:timers/promises';
import { method, saved, started, workflow } from '../../test/support/documents/workflows';
import { chain } from '../runs/chain';
import { count, GOING } from '../runs/ended-runs';
import { scheduled, webhookOf } from '../runs/schedules';
import type { ProbedService } from '../service/probed-service';

/** When this many runs go on, no more are asked for. */
const MOST_GOING = 24;
const LOOK_MS = 500;
const STEPS = 20;

/** Something that starts runs, of a workflow of its own. */
export interface Source {
  readonly name: string;
  readonly workflowId: number;
  /** How many runs the service has accepted. */
  accepted: number;
}

/** Starts runs by webhooks, by hand with the log on and by schedules, as the service takes them. */
export async function startWork(service: ProbedService, remoteUrl: string) {
  const one = method('0', `${remoteUrl}/`);
  const slow = method(String(STEPS), `${remoteUrl}/slow`);
  const source = async (name: string, steps: readonly object[]): Promise<Source> => ({
    name,
    workflowId: await saved(service, workflow([...steps])),
    accepted: 0,
  });
  const sources = {
    webhook: await source('a webhook, one step', [one]),
    long: await source(`a webhook, ${STEPS} steps`, chain(remoteUrl, STEPS)),
    manual: await source('by hand, logged, with a slow step', [...chain(remoteUrl, STEPS), slow]),
  };
  const due = await source('schedules', [one]);
  const schedule = async (more: { logging: boolean; cron?: string }, of = due): Promise<string> =>
    scheduled(service, { workflowId: String(of.workflowId), ...more });
  const schedules = [
    await schedule({ logging: false, cron: '* * * * * ?' }),
    await schedule({ logging: true, cron: '* * * * * ?' }),
  ];
  const urls = {
    webhook: await webhookOf(service, await schedule({ logging: false }, sources.webhook)),
    long: await webhookOf(service, await schedule({ logging: true }, sources.long)),
  };

  let [isOver, going] = [false, 0];
  const often = async (everyMs: number, start: () => Promise<void>): Promise<void> => {
    while (!isOver) {
      if (going < MOST_GOING) await start();
      await pause(everyMs);
    }
  };
  const call = async (name: 'webhook' | 'long'): Promise<void> => {
    const answer = await fetch(urls[name], { method: 'POST' });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`The webhook answered ${answer.status}.`);
    sources[name].accepted += 1;
  };
  const looking = (async () => {
    while (!isOver) {
      going = await count(service, { state: { in: GOING } });
      await pause(LOOK_MS);
    }
  })();
  const working = Promise.all([
    looking,
    often(100, () => call('webhook')),
    often(100, () => call('webhook')),
    often(1_000, () => call('long')),
    often(1_000, async () => {
      await started(service, sources.manual.workflowId, true);
      sources.manual.accepted += 1;
    }),
  ]);
  return {
    sources: Object.values(sources),
    /** Rejects when the service refuses something. */
    working,
    async stop(): Promise<void> {
      isOver = true;
      await working;
      for (const id of schedules)
        await service.data(
          'mutation ($id: ID!) { scheduleUpdate(input: { id: $id, enabled: false }) { userErrors { code } } }',
          { id },
        );
    },
  };
}
