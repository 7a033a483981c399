import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster, Member } from './cluster';

export interface FaultTimes {
  /** How long all faults go on, ms. */
  readonly totalMs: number;
  /** Longest halt of a member, and of the store, ms. */
  readonly haltMs: number;
  readonly storeHaltMs: number;
  /** Between two faults, ms. */
  readonly apartMs: number;
}

/** Something else that can be away for a time, such as Redis. */
export interface Outage {
  readonly name: string;
  begin(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Kills and halts members at random, and the store and other systems now and then. Afterwards all
 * are up. Returns what it did.
 */
export async function injectFaults(
  cluster: Cluster,
  { totalMs, haltMs, storeHaltMs, apartMs }: FaultTimes,
  outages: readonly Outage[] = [],
): Promise<string[]> {
  const done: string[] = [];
  const end = performance.now() + totalMs;
  const one = (): Member => cluster.members[Math.floor(Math.random() * cluster.members.length)];
  const halted = async (member: Member, ms: number): Promise<void> => {
    member.halt();
    await pause(ms);
    member.resume();
  };
  const kinds: readonly (readonly [string, () => Promise<void>])[] = [
    [
      'kill',
      async () => {
        const member = one();
        await member.kill();
        await pause(apartMs);
        await member.start();
      },
    ],
    ['halt', () => halted(one(), Math.random() * haltMs)],
    ['halt store', () => halted(cluster.store, storeHaltMs)],
    ...outages.map(
      (outage) =>
        [
          outage.name,
          async () => {
            await outage.begin();
            await pause(apartMs);
            await outage.end();
          },
        ] as const,
    ),
  ];
  // Each kind at least once, then at random; members are killed and halted most.
  for (let nth = 0; performance.now() < end || nth < kinds.length; nth += 1) {
    const [name, work] = kinds[nth < kinds.length ? nth : Math.floor(Math.random() * 2)];
    done.push(name);
    await work();
    await pause(apartMs);
  }
  return done;
}
