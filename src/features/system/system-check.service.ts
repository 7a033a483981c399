import { release, type } from 'node:os';
import type { Config } from '../../config/config';
import { whyEngineIsDown } from '../../platform/scripts/launch-engine';
import type { LaunchedEngine } from '../../platform/scripts/launch-engine';
import type { Store } from '../../platform/store/store';
import { VERSION } from '../../platform/version';

declare module '../../platform/context' {
  interface Services {
    systemCheck: SystemCheck;
  }
}

/** `UNKNOWN`: not in use, and not an error. */
export type ComponentStatus = 'UP' | 'DOWN' | 'UNKNOWN';

/** The state of one dependency or part of the service. */
export interface SystemComponent {
  readonly status: ComponentStatus;
  readonly details: Readonly<Record<string, string | number | boolean>>;
}

export type SystemCheck = ReturnType<typeof createSystemCheck>;

export interface SystemCheckDependencies {
  readonly store: Store;
  readonly config: Pick<Config, 'productPrefix' | 'scripts'>;
  /** The engine process that the service started; null if it starts none. */
  readonly launched: () => Pick<LaunchedEngine, 'pid' | 'starts'> | null;
}

const PING_MS = 2_000;

/** Checks the parts of the service on each call. */
export function createSystemCheck({
  store,
  config: { productPrefix, scripts },
  launched,
}: SystemCheckDependencies) {
  const name = store.isExclusive ? 'Embedded store' : 'MongoDB';

  async function storeNow(): Promise<SystemComponent> {
    try {
      const { version } =
        (await store.connection.db?.command({ buildInfo: 1 }, { timeoutMS: PING_MS })) ?? {};
      return { status: 'UP', details: { name, ...(typeof version === 'string' && { version }) } };
    } catch {
      return { status: 'DOWN', details: { name, error: 'It does not answer.' } };
    }
  }

  async function polyglotNow(): Promise<SystemComponent> {
    const { polyglot } = scripts;
    if (polyglot === null) return { status: 'UNKNOWN', details: { enabled: false } };
    const why = await whyEngineIsDown({ host: polyglot.host, port: polyglot.port });
    const engine = launched();
    const details = {
      location: `${polyglot.host}:${polyglot.port}`,
      ...(engine !== null && {
        starts: engine.starts,
        ...(engine.pid !== null && { pid: engine.pid }),
      }),
    };
    return why === null
      ? { status: 'UP', details }
      : { status: 'DOWN', details: { ...details, error: why } };
  }

  return {
    async components(): Promise<Readonly<Record<string, SystemComponent>>> {
      const [mongoDB, polyglot] = await Promise.all([storeNow(), polyglotNow()]);
      return {
        mongoDB,
        polyglot,
        [productPrefix]: { status: 'UP', details: { version: VERSION } },
        os: { status: 'UP', details: { name: type(), version: release() } },
      };
    },
  };
}
