import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, MAIN, readyUrl, startProcess } from '../process';
import type { Running } from '../process';
import { ADMIN_EMAIL, ADMIN_PASSWORD, loginAt, reached } from '../service/harness';
import type { ReachedService } from '../service/harness';

/** One service of a cluster, which can be killed, halted and started again. */
export interface Member {
  readonly url: string;
  readonly pid: number;
  /** Whether it should answer: it is neither halted nor started just now. */
  isUp: boolean;
  kill(): Promise<void>;
  start(): Promise<void>;
  halt(): void;
  resume(): void;
}

export interface ClusterOptions {
  readonly members: number;
  readonly env?: Readonly<Record<string, string>>;
  /** The program of the service; default: the built one. */
  readonly program?: string;
  /** The folder test/support of the repository; default: that of this file. */
  readonly support?: string;
  /** What the clocks of the members differ by, ms. */
  readonly clockStepMs?: number;
}

export interface Cluster {
  readonly members: readonly Member[];
  /** Owns the embedded store that the members use as their MongoDB. */
  readonly store: Member;
  readonly storeUri: string;
  readonly adminToken: string;
  /** Clients of a member that is up, or of the proxy in front of all. */
  any(): ReachedService;
  /** From now on, clients use this address of a proxy. */
  useFront(url: string): void;
  close(): Promise<void>;
}

/** Starts a service with an embedded store, and others that use it as their MongoDB. */
export async function startCluster({
  members: count,
  env = {},
  program = MAIN,
  support = join(__dirname, '..'),
  clockStepMs = 0,
}: ClusterOptions): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-cluster-'));
  const all: ClusterMember[] = [];
  const common = {
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    HOST: '127.0.0.1',
    HYPHA_LOG_LEVEL: 'warn',
    HYPHA_TOKEN_SECRET: 'the secret of all services, which is long enough',
    HYPHA_CONNECTOR_MASTER_PASSWORD: 'the password of all services',
    HYPHA_LIMITS_WEBHOOK_CALLS: '1000000',
    ...env,
  };
  const started = async (name: string, own: Readonly<Record<string, string>>) => {
    const port = await freePort();
    const member = new ClusterMember(program, port, {
      ...common,
      PORT: String(port),
      DATA_DIR: join(dir, name),
      NODE_OPTIONS: ['die-with-parent.cjs', 'cluster/clock-offset.cjs']
        .map((file) => `--require ${JSON.stringify(join(support, file))}`)
        .join(' '),
      ...own,
    });
    all.push(member);
    await member.start();
    return member;
  };
  const store = await started('store', { HYPHA_SHARE_STORE: '1', HYPHA_ROLES: 'api' });
  const socket = encodeURIComponent(join(dir, 'store', 's.sock'));
  const storeUri = `mongodb://${socket}/hypha?directConnection=true`;
  const members: ClusterMember[] = [];
  for (let nth = 0; nth < count; nth += 1)
    members.push(
      await started(`member${nth}`, {
        MONGODB_URI: storeUri,
        CLOCK_OFFSET_MS: String(nth * clockStepMs),
      }),
    );
  let front: string | null = null;
  const adminToken = await loginAt(members[0].url, ADMIN_EMAIL, ADMIN_PASSWORD);
  return {
    members,
    store,
    storeUri,
    adminToken,
    useFront(url) {
      front = url;
    },
    any() {
      if (front !== null) return reached(front, adminToken);
      const up = members.filter(({ isUp }) => isUp);
      const { url } = up[Math.floor(Math.random() * up.length)] ?? members[0];
      return reached(url, adminToken);
    },
    async close() {
      for (const member of all.reverse()) await member.kill();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

class ClusterMember implements Member {
  readonly url: string;
  isUp = false;
  private running: Running | null = null;

  constructor(
    private readonly program: string,
    port: number,
    private readonly env: Readonly<Record<string, string>>,
  ) {
    this.url = `http://127.0.0.1:${port}`;
  }

  get pid(): number {
    return this.running?.child.pid ?? 0;
  }

  async start(): Promise<void> {
    this.running = startProcess(this.env, [process.execPath, this.program]);
    await readyUrl(this.running);
    this.isUp = true;
  }

  async kill(): Promise<void> {
    this.isUp = false;
    this.running?.child.kill('SIGKILL');
    await this.running?.exit;
  }

  halt(): void {
    this.isUp = false;
    this.running?.child.kill('SIGSTOP');
  }

  resume(): void {
    this.running?.child.kill('SIGCONT');
    this.isUp = true;
  }
}
