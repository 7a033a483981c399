import type { FileToZip } from '../../platform/archive/write-zip';
import { isLargeJson, jsonPieces } from '../../platform/json/write-json';
import type { RunRecord } from '../runs/run.model';
import type { WorkflowFile } from '../templates/exchange/workflow-exchange.service';
import type { SystemComponent } from '../system/system-check.service';

/** Text of README.txt in a support file. */
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
  /** Number of masking rules applied in addition to those of the workflow. */
  readonly rules: number;
}

/** Sources of the texts, with masking applied. */
export interface SupportLogTexts {
  /** Events of a run as chunks of JSON lines. */
  readonly eventsOf: (run: RunRecord) => AsyncIterable<string>;
  /** Masks a JSON text. */
  readonly shown: (json: string) => Promise<string>;
}

/**
 * Indents small JSON for readability; large JSON is written in pieces, which yields the event loop.
 */
async function written(value: unknown): Promise<string> {
  if (!isLargeJson(value)) return `${JSON.stringify(value, null, 2)}\n`;
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  return pieces.join('');
}

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
    // Events come first: values that rules select in them are also hidden in the files that follow.
    ...runs.flatMap((run) => [
      { name: `runs/${run._id}/events.jsonl`, content: () => eventsOf(run) },
      json(`runs/${run._id}/run.json`, factsOf(run)),
    ]),
    json('workflow.json', workflow.file),
  ];
}

/** Facts about a run, without users and parameters. */
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
