import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { createAdmission, FairQueue } from '../../../src/features/runs/queue/fair-queue';
import { ProcessorDemand } from '../../../src/platform/processor-demand';

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('run admission', () => {
  const ask = ({
    going,
    runs,
    service = 0,
    processors = 2,
  }: {
    going: number;
    runs: number[] | null;
    service?: number;
    processors?: number;
  }): boolean => {
    const mayBegin = createAdmission({
      demands: { runs: () => runs, service: () => service },
      processors,
      now: () => 1_000,
    });
    mayBegin(0);
    return mayBegin(going);
  };

  it.each<[string, boolean, Parameters<typeof ask>[0]]>([
    [
      'a run when no other is running, even if the service is busy',
      true,
      { going: 0, runs: [], service: 1 },
    ],
    ['a run next to a computing one on two processors', true, { going: 1, runs: [1] }],
    [
      'no run while a busy service needs the other processor',
      false,
      { going: 1, runs: [1], service: 1 },
    ],
    ['no run next to one computing run per processor', false, { going: 2, runs: [1, 1] }],
    ['no run next to runs that have only just started', false, { going: 2, runs: [] }],
    [
      'a run next to many that wait for other systems',
      true,
      { going: 23, runs: Array<number>(23).fill(0.01) },
    ],
    [
      'no run when one of those has only just started and another one computes',
      false,
      { going: 23, runs: [...Array<number>(21).fill(0.01), 1] },
    ],
    [
      'a run next to six computing ones on eight processors',
      true,
      { going: 6, runs: Array<number>(6).fill(1), processors: 8 },
    ],
    [
      'a run next to a waiting one on one processor',
      true,
      { going: 1, runs: [0.1], processors: 1 },
    ],
    [
      'no run next to a computing one on one processor',
      false,
      { going: 1, runs: [1], processors: 1 },
    ],
    ['a run when the demand of the others is unknown', true, { going: 23, runs: null, service: 1 }],
  ])('admits %s: %s', (_, expected, situation) => expect(ask(situation)).toBe(expected));

  it.each([
    ['200 ms', [1, 1, 1], [0, 200, 400, 600, 800, 1_000]],
    ['2 s if the process of another one starts', [1, 1], [0, 2_000, 4_000]],
  ])('allows any number of computing runs if none was started for %s', (_, runs, times) => {
    let now = 0;
    const mayBegin = createAdmission({
      demands: { runs: () => runs, service: () => 1 },
      processors: 2,
      now: () => now,
    });
    const begun: number[] = [];
    for (; now <= (times.at(-1) ?? 0); now += 10) if (mayBegin(3)) begun.push(now);
    expect(begun).toEqual(times);
  });
});

it('admission checks a waiting run again by itself while its slot stays free', async () => {
  const begun: string[] = [];
  const judged: number[] = [];
  let isFull = true;
  let ended: () => void = () => undefined;
  const queue = new FairQueue<string>({
    shares: { user: () => 1, workflow: () => 1 },
    atOnce: 3,
    atOnceOfWorkflow: Infinity,
    mayBegin: (going) => {
      judged.push(going);
      return going === 0 || !isFull;
    },
    execute: (name) =>
      new Promise((resolve) => {
        begun.push(name);
        if (name === 'third') ended();
        else setImmediate(resolve);
      }),
  });
  const third = new Promise<void>((resolve) => {
    ended = resolve;
  });
  for (const name of ['first', 'second']) queue.add(name);
  expect([begun, queue.length]).toEqual([['first'], 1]);
  await queue.idle();
  expect(begun).toEqual(['first', 'second']);
  isFull = false;
  queue.add('third');
  await third;
  expect(judged).toEqual([0, 1, 0, 0]);
});

it('admission is checked once for thousands of queued runs of different workflows', async () => {
  const MANY = 2_000;
  let judged = 0;
  const begun: number[] = [];
  let isFull = true;
  let endFirst: () => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const queue = new FairQueue<number>({
    shares: { user: () => 1, workflow: (entry) => entry },
    atOnce: 3,
    atOnceOfWorkflow: Infinity,
    mayBegin: (going) => {
      judged += 1;
      return going === 0 || !isFull;
    },
    execute: async (entry) => {
      begun.push(entry);
      if (begun.length === 1) await first;
    },
  });
  for (let entry = 0; entry < MANY; entry += 1) queue.add(entry);
  expect([begun, judged]).toEqual([[0], 2]);
  isFull = false;
  endFirst();
  await queue.idle();
  expect(begun).toEqual(Array.from({ length: MANY }, (_, entry) => entry));
});

it('a run that was not admitted starts as soon as it is allowed next to a running one', async () => {
  let isFull = true;
  let begin: () => void = () => undefined;
  const second = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const queue = new FairQueue<string>({
    shares: { user: () => 1, workflow: () => 1 },
    atOnce: 2,
    atOnceOfWorkflow: Infinity,
    mayBegin: (going) => going === 0 || !isFull,
    execute: (name) =>
      new Promise(() => {
        if (name === 'second') begin();
      }),
  });
  queue.add('first');
  queue.add('second');
  isFull = false;
  await second;
  queue.close();
});

describe('the processor demand of a process', () => {
  const COMPUTING = 'process.stdout.write("."); for (;;);';
  async function readUntilKnown(
    demand: ProcessorDemand,
    isWanted: (share: number) => boolean = () => true,
  ): Promise<number> {
    for (;;) {
      const share = demand.read();
      if (share !== null && isWanted(share)) return share;
      await pause(20);
    }
  }

  onLinux('is positive for a computing process and zero for a stopped one', async () => {
    const child = spawn(process.execPath, ['-e', COMPUTING], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const pid = child.pid ?? 0;
    try {
      await once(child.stdout, 'data');
      const demand = new ProcessorDemand(pid);
      expect(await readUntilKnown(demand, (share) => share > 0)).toBeLessThanOrEqual(1);
      child.kill('SIGSTOP');
      while (!readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') T '))
        await new Promise((resolve) => setImmediate(resolve));
      demand.reset();
      expect(await readUntilKnown(demand)).toBe(0);
    } finally {
      child.kill('SIGKILL');
    }
  });

  it('is unknown for a process that has exited', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    expect(new ProcessorDemand(child.pid ?? 0).read()).toBeNull();
  });
});
