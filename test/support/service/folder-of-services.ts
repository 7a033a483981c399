import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readyUrl, startProcess } from '../process';
import type { Running } from '../process';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt } from './harness';
import type { ReachedService } from './harness';

/** A temporary folder for services; after the tests it is removed, and services that still run are killed. */
export function folderOfServices(stem: string) {
  const folder = mkdtempSync(join(tmpdir(), stem));
  const path = (name: string): string => join(folder, name);
  const running: Running[] = [];
  afterAll(async () => {
    for (const { child, exit } of running) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await exit;
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    folder,
    path,
    /** Starts the built service with a data directory of this name. */
    start: (name: string, env: Readonly<Record<string, string | undefined>> = {}): Running => {
      const service = startProcess(
        { DATA_DIR: path(name), PORT: '0', ADMIN_EMAIL, ADMIN_PASSWORD, ...env },
        undefined,
        folder,
      );
      running.push(service);
      return service;
    },
    stop: async ({ child, exit }: Running): Promise<void> => {
      child.kill('SIGTERM');
      expect((await exit).code).toBe(0);
    },
    /** The clients of a service that becomes ready. */
    reach: async (service: Running): Promise<ReachedService> => reachedAt(await readyUrl(service)),
  };
}
