/* Hypha in a process of its own: a run that is held, whose further events are published as the process of the run would. */
import type { EventBus } from '../../src/platform/events/bus';
import { RunEventFeed } from '../../src/features/runs/events/run-event-feed';
import { WidgetService } from '../../src/features/widgets/widget.service';
import { RUN_TOPIC, runEventsTopic } from '../../src/features/runs/run.events';
import type { PublishedRunEventRow, RunChanged } from '../../src/features/runs/run.events';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../../test/support/service/harness';
import { method, saved, started, workflow } from '../../test/support/documents/workflows';
import { remoteSystem } from '../../test/support/peers/remote-system';
import { answerAs } from './peer';
import { stepFinished } from './events';

const HOUR = '3600000';
/** Number of sessions that the sockets are spread over. */
const SESSIONS = 50;
/** The bus of the service, known when the first socket follows a run. */
let bus: EventBus | null = null;
// oxlint-disable-next-line typescript/unbound-method -- called with `this` below
const { read } = RunEventFeed.prototype;
RunEventFeed.prototype.read = function (...parameters) {
  ({ bus } = Reflect.get(this, 'deps').core);
  return read.apply(this, parameters);
};

/** What the last snapshot of the dashboard shows more than the store: one that shows the same as before is not told. */
let shown = 0;
// oxlint-disable-next-line typescript/unbound-method -- called with `this` below
const { executionsTimeline } = WidgetService.prototype;
WidgetService.prototype.executionsTimeline = async function (days) {
  const timeline = await executionsTimeline.call(this, days);
  return timeline.map((day, nth) => (nth === 0 ? { ...day, executions: shown } : day));
};

async function main(): Promise<void> {
  const remote = await remoteSystem(() => new Promise(() => undefined));
  const service = await startService({
    env: { HYPHA_LOG_LEVEL: 'error', HYPHA_STEP_TIMEOUT: HOUR, HYPHA_OUTBOUND_TIMEOUT: HOUR },
  });
  const workflowId = await saved(service, workflow([method('0', remote.url)]));
  const runId = await started(service, workflowId);
  await remote.next();
  const { run } = await service.data(
    'query($id: ID!) { run(id: $id) { id events { nodes { sequence } } } }',
    { id: runId },
  );
  const sequence: number = run.events.nodes.at(-1).sequence;
  const tokens: string[] = [];
  while (tokens.length < SESSIONS) tokens.push(await service.login(ADMIN_EMAIL, ADMIN_PASSWORD));
  answerAs(
    { url: service.url, tokens, runId: run.id, sequence },
    (topic, nth) => {
      shown = nth;
      if (topic === 'dashboard')
        bus?.publish<RunChanged>(RUN_TOPIC, { runId, workflowId, test: false, state: 'RUNNING' });
      else
        bus?.publish<readonly PublishedRunEventRow[]>(runEventsTopic(runId), [
          {
            runId,
            sequence: sequence + nth,
            at: new Date(),
            kind: 'StepFinished',
            body: JSON.stringify(stepFinished(nth)),
          },
        ]);
    },
    async () => {
      await service.close();
      await remote.close();
    },
  );
}

void main();
