import { setTimeout as pause } from 'node:timers/promises';
import { BUSY_PATTERN, randomLetters } from '../../engine/support/pool';
import { startRemote } from '../../engine/support/remote';
import type { Remote } from '../../engine/support/remote';
import { method, workflow } from '../documents/workflows';

const objects = Buffer.from(`[${'{},'.repeat(6_500_000)}{}]`);
const deep = Buffer.from('['.repeat(9_000_000) + ']'.repeat(9_000_000));
const large = Buffer.from(
  JSON.stringify({
    text: Array.from(
      { length: 100_000 },
      (_, nth) => `value ${nth}, which is never asked for, and is long: ${'x'.repeat(100)}`,
    ),
  }),
);

/** A remote system with hostile responses. */
export interface HostileRemote extends Pick<Remote, 'url'> {
  close(): Promise<void> | void;
}

/** Response delay: run processes send events in batches every 100 ms, so earlier events are stored before the pattern blocks. */
const LETTERS_MS = 250;

/** Serves responses of the maximum accepted size, depth and duration. */
export async function hostileRemote(): Promise<HostileRemote> {
  const bodies: Readonly<Record<string, Buffer>> = {
    '/objects': objects,
    '/deep': deep,
    '/large': large,
    '/letters': randomLetters(),
  };
  return startRemote(async ({ url }, response) => {
    const body = bodies[url];
    if (url === '/letters') await pause(LETTERS_MS);
    if (url === '/hang') return;
    response
      .writeHead(200, { 'content-type': url === '/letters' ? 'text/plain' : 'application/json' })
      .end(body ?? '{"ok":true}');
  });
}

export interface HostileWorkflow {
  readonly name: string;
  /** The expected error code of the run. */
  readonly code: string;
  readonly document: object;
}

/** Workflows that exhaust the resources of their process. */
export function hostileWorkflows({ url }: HostileRemote): readonly HostileWorkflow[] {
  const answer = (color: string): string => `{%${color}.(response).body%}`;
  const loop = (index: string, iterator: string): object => ({
    id: `loop ${index}`,
    index,
    type: 'loop',
    iterator,
    expression: `For([${Array.from({ length: 1_000 }, (_, nth) => nth).join(',')}])`,
  });
  return [
    {
      name: 'six large answers that are kept',
      code: 'RUN_OUT_OF_MEMORY',
      document: workflow([
        ...Array.from({ length: 6 }, (_, nth) =>
          method(String(nth), `${url}/objects`, { color: `#00000${nth}` }),
        ),
        method(
          '6',
          `${url}/read?${Array.from({ length: 6 }, (_, nth) => `{%#00000${nth}.(response).body[${nth}]%}`).join('&')}`,
          { color: '#000006' },
        ),
      ]),
    },
    {
      name: 'an answer nine million levels deep',
      code: 'RUN_OUT_OF_MEMORY',
      document: workflow([method('0', `${url}/deep`)]),
    },
    {
      name: 'a pattern that takes minutes',
      code: 'RUN_STALLED',
      document: workflow(
        [method('0', `${url}/letters`, { color: '#000000' })],
        [
          {
            id: 'if',
            index: '1',
            type: 'if',
            expression: `${answer('#000000')} Matches "${BUSY_PATTERN}"`,
          },
        ],
      ),
    },
    {
      name: 'loops in loops',
      code: 'RUN_TOO_MANY_TURNS',
      document: workflow([], [loop('0', 'i'), loop('0_0', 'j'), loop('0_0_0', 'k')]),
    },
    {
      name: 'a pattern that repeats too much',
      code: 'EXPRESSION_BAD_PATTERN',
      document: workflow(
        [method('0', `${url}/letters`, { color: '#000000' })],
        [
          {
            id: 'if',
            index: '1',
            type: 'if',
            expression: `${answer('#000000')} Matches "([ab]*a[ab]{90}){100}c"`,
          },
        ],
      ),
    },
  ];
}

/** A valid response of 13 MB that must be parsed and masked. */
export const largeWorkflow = ({ url }: HostileRemote): object =>
  workflow([method('0', `${url}/large`)]);
export const ordinaryWorkflow = ({ url }: HostileRemote): object =>
  workflow(
    [method('0_0', `${url}/`)],
    [
      {
        id: 'loop',
        index: '0',
        type: 'loop',
        iterator: 'i',
        expression: 'For([1,2,3,4,5,6,7,8,9,10])',
      },
    ],
  );
/** Longer timeouts and less script memory than in production, so that runs reach their memory limit on a busy machine. */
export const hostileSettings = {
  HYPHA_RUN_ISOLATION: 'processes',
  HYPHA_RUN_CONCURRENT: '8',
  HYPHA_RUN_MAX_TURNS: '200000',
  HYPHA_RUN_MAX_EVENTS: '500000',
  HYPHA_RUN_STALL: '600000',
  HYPHA_SCRIPT_TIMEOUT: '300000',
  HYPHA_SCRIPT_MEMORY: '20',
};
