import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, ADMIN_PASSWORD, PATIENT, answerTo } from './harness';
import { built } from './built';
import { MAIN, readyUrl, startProcess } from './process';
import type { Running } from './process';
import { buildStore } from '../../packages/embedded-mongo/test/support/store-build';
import { StoreProcess } from '../../packages/embedded-mongo/test/support/store-process';

/** A compiled service process with a signed-in administrator. */
export interface ServiceProcess {
  readonly running: Running;
  readonly data: (query: string, variables?: object) => Promise<any>;
  readonly api: (verb: string, path: string, body?: unknown) => Promise<any>;
}

/** Service processes that share a database process and can be halted or killed. */
export interface ServicesAtOneStore {
  start(name: string): Promise<ServiceProcess>;
  /** Kills the running services. */
  killAll(): Promise<void>;
  /** Stops the database as well. */
  close(): Promise<void>;
}

/** @param env settings in addition to the database */
export async function servicesAtOneStore(
  env: Record<string, string> = {},
): Promise<ServicesAtOneStore> {
  built(MAIN);
  const build = buildStore();
  const dir = mkdtempSync(join(tmpdir(), 'hypha-services-'));
  const store = new StoreProcess(build, join(dir, 'store'), 'inline', 'hold');
  const isUri = (line: string): boolean => line.startsWith('uri ');
  await store.until((lines) => lines.some(isUri));
  const uri = store.lines.find(isUri)?.slice('uri '.length) ?? '';
  const services = new Map<string, ServiceProcess>();
  return {
    async start(name) {
      const running = startProcess({
        PORT: '0',
        DATA_DIR: join(dir, name),
        MONGODB_URI: uri,
        ADMIN_EMAIL,
        ADMIN_PASSWORD,
        ...PATIENT,
        ...env,
      });
      const url = await readyUrl(running);
      const token = (
        await answerTo(url, 'POST', '/login', null, {
          body: { email: ADMIN_EMAIL, password: ADMIN_PASSWORD },
        })
      ).headers.get('authorization');
      const api: ServiceProcess['api'] = async (verb, path, body) =>
        (await answerTo(url, verb, path, token, { body })).body;
      const service: ServiceProcess = {
        running,
        api,
        data: async (query, variables) =>
          (await api('POST', '/graphql', { query, variables })).data,
      };
      services.set(name, service);
      return service;
    },
    async killAll() {
      await Promise.all(
        [...services.values()].map(({ running }) => {
          running.child.kill('SIGKILL');
          return running.exit;
        }),
      );
      services.clear();
    },
    async close() {
      await store.kill();
      build.remove();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
