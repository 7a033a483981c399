import type { FileToZip } from '../../platform/archive/write-zip';
import { isLargeJson, jsonPieces } from '../../platform/json/write-json';
import type { RunRecord } from '../runs/run.model';
import type { WorkflowFile } from '../templates/exchange/workflow-file';
import type { SystemComponent } from '../system/system-check.service';

/** What somebody reads first who is sent a support file. */
const aboutTheFiles = (
  workflowId: number,
  at: Date,
): string => `Logs of the workflow ${workflowId}, packed at ${at.toISOString()}.

bundle.json          what this is, and of which runs logs are in it, the newest first
system.json          the service and what it runs on
workflow.json        the workflow as it is now, as an export: names of connectors, invokers and secrets, no credentials and no values
runs/<id>/run.json   when a run began and ended, and how
runs/<id>/events.jsonl
                     its log, an event in JSON on each line, in order: what was sent, what came back, how each step ended

Values of secrets and credentials are hidden in all of it, and what the masking rules select. Long bodies are cut, which is said where it was done.
`;

/** What a support file is made of. */
export interface SupportLogContent {
  readonly at: Date;
  /** Version of this service. */
  readonly product: string;
  readonly workflow: {
    readonly id: number;
    readonly title: string;
    readonly version: number;
    readonly file: WorkflowFile;
  };
  readonly system: Readonly<Record<string, SystemComponent>>;
  readonly runs: readonly RunRecord[];
  /** How many rules beside those of the workflow hide something in it. */
  readonly rules: number;
}

/** How its texts come. */
export interface SupportLogTexts {
  /** The events of a run, some lines of JSON at a time. */
  readonly eventsOf: (run: RunRecord) => AsyncIterable<string>;
  /** JSON as it may be handed on. */
  readonly shown: (json: string) => Promise<string>;
}

/** What is read by people is indented; what is too large for that is written in turns with everything else. */
async function written(value: unknown): Promise<string> {
  if (!isLargeJson(value)) return `${JSON.stringify(value, null, 2)}\n`;
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  return pieces.join('');
}

/** The files in it, in the order in which they are packed. */
export function supportLogFiles(
  { at, product, workflow, system, runs, rules }: SupportLogContent,
  { eventsOf, shown }: SupportLogTexts,
): FileToZip[] {
  const json = (name: string, value: unknown): FileToZip => ({
    name,
    async *content() {
      yield await shown(await written(value));
    },
  });
  return [
    {
      name: 'README.txt',
      async *content() {
        yield aboutTheFiles(workflow.id, at);
      },
    },
    json('bundle.json', {
      createdAt: at,
      workflow: { id: workflow.id, title: workflow.title, version: workflow.version },
      runs: runs.map(({ _id }) => _id),
      rulesBeside: rules,
    }),
    json('system.json', {
      version: product,
      node: process.version,
      platform: process.platform,
      components: system,
    }),
    // Events first: values that rules select there are hidden in what is packed after them.
    ...runs.flatMap((run) => [
      { name: `runs/${run._id}/events.jsonl`, content: () => eventsOf(run) },
      json(`runs/${run._id}/run.json`, factsOf(run)),
    ]),
    json('workflow.json', workflow.file),
  ];
}

/** What is told of a run beside its events: nobody's name, and no parameters. */
function factsOf({
  _id,
  workflowId,
  workflowTitle,
  trigger,
  state,
  queuedAt,
  startedAt,
  finishedAt,
  durationMs,
  scheduleId,
  dueAt,
  steps,
  error,
  lastSequence,
  retryOf,
  errorOf,
  depth,
}: RunRecord): object {
  return {
    id: _id,
    workflowId,
    workflowTitle,
    trigger,
    state,
    queuedAt,
    startedAt,
    finishedAt,
    durationMs,
    scheduleId,
    dueAt,
    steps,
    error,
    lastSequence,
    retryOf,
    errorOf,
    depth,
  };
}
