import { setTimeout as pause } from 'node:timers/promises';
import { p99 } from './measure/health';
import { median, wallMs } from './measure/in-turn';
import type { BenchResult } from './result';
import { startProbedService } from './service/probed-service';
import type { ProbedService } from './service/probed-service';

const WORKFLOWS = 10;
const AT_ONCE = 8;
const PATCH_OPERATIONS = 5_000;
const BETWEEN_MS = 20;
const EMAIL = 'colleague@hypha.test';
const PASSWORD = 'correct horse battery 2';

/** About 7 MB of what editors keep of a drawing. */
const largeUi = (): unknown => ({
  nodes: Array.from({ length: 60_000 }, (_, nth) => ({
    id: `node-${nth}`,
    x: nth * 3,
    y: nth * 7,
    label: `Step number ${nth} of a long drawing`,
    tags: ['a', 'b'],
  })),
});

/**
 * One user with long requests next to another one: how long do the others wait for short and for long requests, and what do the long ones take? The
 * second user is an administrator too, so both are shown the same.
 */
export async function run(): Promise<BenchResult[]> {
  const service = await startProbedService();
  try {
    const colleague = await secondAdministrator(service);
    const ids: number[] = [];
    for (let nth = 0; nth < WORKFLOWS; nth += 1)
      ids.push(await saveWorkflow(service, { title: `large ${nth}`, ui: largeUi() }));
    return [...(await listing(service, colleague)), ...(await patching(service, colleague))];
  } finally {
    await service.close();
  }
}

async function listing(service: ProbedService, colleague: string): Promise<BenchResult[]> {
  const list = (token?: string): Promise<void> => download(service, '/api/connection/all', token);
  await list();
  const alone = await wallMs(() => list(colleague));
  const single = await observed(service, colleague, () => list());
  const flood = await observed(service, colleague, () =>
    Promise.all(Array.from({ length: AT_ONCE }, () => list())),
  );
  const floodOver = Promise.all(Array.from({ length: AT_ONCE }, () => list()));
  const shared = await wallMs(() => list(colleague));
  await floodOver;
  const times = `${Math.round(single.ms)} ms for one`;
  return [
    {
      name: `${AT_ONCE} lists of ${WORKFLOWS} workflows of 7 MB by one user`,
      value: flood.ms,
      unit: 'ms',
      detail: times,
    },
    ...latencies('meanwhile', flood),
    {
      name: '  such a list of another user, of what it takes alone',
      value: shared / alone,
      unit: 'times',
      target: { below: 3 },
      detail: `${Math.round(shared)} and ${Math.round(alone)} ms`,
    },
  ];
}

async function patching(service: ProbedService, colleague: string): Promise<BenchResult[]> {
  const list = Array.from({ length: 100_000 }, (_, nth) => nth);
  const patch = Array.from({ length: PATCH_OPERATIONS }, (_, nth) => ({
    op: 'move',
    from: `/ui/list/${nth}`,
    path: `/ui/list/${99_000 - nth}`,
  }));
  const ids: number[] = [];
  for (let nth = 0; nth < AT_ONCE; nth += 1)
    ids.push(await saveWorkflow(service, { title: `patched ${nth}`, ui: { list } }));
  const send = async (id: number): Promise<void> => {
    const answer = await service.api('PATCH', `/api/connection/${id}`, {
      body: JSON.stringify(patch),
      headers: { 'content-type': 'application/json-patch+json' },
    });
    if (answer.status !== 200)
      throw new Error(`The patch answered ${answer.status}: ${answer.text.slice(0, 500)}`);
  };
  const single = await observed(service, colleague, () => send(ids[0]));
  const flood = await observed(service, colleague, () => Promise.all(ids.map(send)));
  return [
    {
      name: `${AT_ONCE} patches of ${PATCH_OPERATIONS} moves by one user`,
      value: flood.ms,
      unit: 'ms',
      detail: `${Math.round(single.ms)} ms for one`,
    },
    ...latencies('meanwhile', flood),
  ];
}

interface Observed {
  readonly ms: number;
  /** Of the short requests of the other user, the quickest first. */
  readonly short: readonly number[];
  readonly stall: number;
}

const latencies = (phase: string, { short, stall }: Observed): BenchResult[] => [
  {
    name: `  ${phase}: short request of another user, 99th percentile`,
    value: p99(short),
    unit: 'ms',
    target: { below: 150 },
    detail: `median ${Math.round(median(short))}`,
  },
  {
    name: `  ${phase}: longest stall of the event loop`,
    value: stall,
    unit: 'ms',
    target: { below: 100 },
  },
];

/** Measures long work, and the short requests of another user at the same time. */
async function observed(
  service: ProbedService,
  colleague: string,
  work: () => Promise<unknown>,
): Promise<Observed> {
  const short: number[] = [];
  let ms = 0;
  const { own } = await service.stallOf(async () => {
    let isOver = false;
    const working = wallMs(work)
      .then((took) => {
        ms = took;
      })
      .finally(() => {
        isOver = true;
      });
    while (!isOver) {
      short.push(await wallMs(() => download(service, '/api/connection/all/meta', colleague)));
      await pause(BETWEEN_MS);
    }
    await working;
  });
  return { ms, short: short.toSorted((left, right) => left - right), stall: own };
}

/** Reads an answer to its end and keeps nothing of it. */
async function download(
  { url, adminToken }: ProbedService,
  path: string,
  token = adminToken,
): Promise<void> {
  const answer = await fetch(url + path, { headers: { authorization: token } });
  if (!answer.ok || !answer.body) throw new Error(`${path} answered ${answer.status}.`);
  for await (const piece of answer.body) void piece;
}

async function saveWorkflow(service: ProbedService, workflow: object): Promise<number> {
  const { status, body, text } = await service.api('POST', '/api/connection', { body: workflow });
  if (status !== 201) throw new Error(`The workflow was not saved: ${text.slice(0, 500)}`);
  return body.connectionId as number;
}

async function secondAdministrator(service: ProbedService): Promise<string> {
  const { body } = await service.api('GET', '/api/userGroup/all');
  const groups = body._embedded.userGroupResources as { enhanceId: number; name: string }[];
  const user = await service.api('POST', '/api/user', {
    body: {
      email: EMAIL,
      password: PASSWORD,
      userGroup: groups[0]?.enhanceId,
      userDetail: { name: 'Colleague', surname: 'Test' },
    },
  });
  if (user.status !== 201) throw new Error(`The user was not made: ${user.text}`);
  const login = await fetch(`${service.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password: PASSWORD }),
  });
  return login.headers.get('authorization') ?? '';
}
