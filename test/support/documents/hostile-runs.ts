import { unique } from '../service/harness';
import type { ReachedService } from '../service/harness';
import { hostileWorkflows, largeWorkflow, ordinaryWorkflow } from '../peers/hostile-remote';
import type { HostileRemote, HostileWorkflow } from '../peers/hostile-remote';
import { endsOfChain, selfStarting, startedOverRest } from '../service/self-starting';
import { ended } from '../service/watch';
import { method, saved, started, workflow } from './workflows';

const ORDINARY = 10;

/** A run, or the last of a chain of runs, with its expected end. */
interface Contender {
  readonly name: string;
  readonly expected: string;
  /** The state, or the error code. */
  readonly end: () => Promise<string>;
}

export interface End {
  readonly name: string;
  readonly expected: string;
  readonly got: string;
}

/** Scripts that exhaust their sandbox. They allocate memory in few steps to reach the limit on a busy machine. */
export function hostileScripts({ url }: Pick<HostileRemote, 'url'>): readonly HostileWorkflow[] {
  const scripted = (expertCode: string): object =>
    workflow(
      [
        method('0', url, { color: '#00000A' }),
        method('1', url, {
          color: '#00000B',
          request: {
            endpoint: url,
            method: 'POST',
            header: {},
            body: { type: 'object', format: 'json', fields: { value: 1 } },
          },
        }),
      ],
      [],
      {
        fieldBinding: [
          {
            from: [{ color: '#00000A', type: 'response', field: 'success.ok' }],
            to: [{ color: '#00000B', type: 'request', field: 'value' }],
            enhancement: { language: 'js', expertCode },
          },
        ],
      },
    );
  return [
    {
      name: 'a script that takes all memory',
      code: 'SCRIPT_OUT_OF_MEMORY',
      document: scripted('RESULT_VAR = []; for (;;) RESULT_VAR.push(new Uint8Array(1e6));'),
    },
    {
      name: 'a script that never returns',
      code: 'SCRIPT_TIMEOUT',
      document: scripted('for (;;);'),
    },
  ];
}

/**
 * Starts `ofEach` runs of each hostile kind concurrently with ten ordinary ones and returns their ends.
 * @param without codes of the kinds that are left out
 */
export async function hostileBesideOrdinary(
  service: ReachedService,
  remote: HostileRemote,
  ofEach: number,
  without: readonly string[] = [],
): Promise<End[]> {
  const of = (name: string, expected: string, document: object): Contender => ({
    name,
    expected,
    end: () => endOf(service, document),
  });
  const itself: Contender = {
    name: 'a workflow that starts itself',
    expected: 'RUN_TOO_DEEP',
    end: () => endOfSelfStarting(service, remote),
  };
  const hostile = [...hostileWorkflows(remote), ...hostileScripts(remote)]
    .filter(({ code }) => !without.includes(code))
    .map(({ name, code, document }) => of(name, code, document));
  const contenders = [
    ...[...hostile, itself, of('a large answer', 'SUCCEEDED', largeWorkflow(remote))].flatMap(
      (each) => Array.from({ length: ofEach }, () => each),
    ),
    ...Array.from({ length: ORDINARY }, () =>
      of('an ordinary one', 'SUCCEEDED', ordinaryWorkflow(remote)),
    ),
  ];
  return Promise.all(
    contenders.map(async ({ name, expected, end }) => ({ name, expected, got: await end() })),
  );
}

async function endOf(service: ReachedService, document: object): Promise<string> {
  const { state, error } = await ended(
    service,
    await started(service, await saved(service, { ...document, title: unique('Hostile ') })),
  );
  return error?.code ?? state;
}

async function endOfSelfStarting(service: ReachedService, { url }: HostileRemote): Promise<string> {
  const id = await selfStarting(service, service.url, url);
  return (await endsOfChain(service, id, await startedOverRest(service, id))).at(-1) ?? 'nothing';
}
