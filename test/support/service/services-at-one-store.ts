import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { startService } from './harness';
import type { ServiceOptions, TestService } from './harness';

export interface ServicesAtOneStore {
  readonly uri: string;
  /** Starts one more service, in this process, at the store. */
  start(options?: ServiceOptions): Promise<TestService>;
  close(): Promise<void>;
}

/** Opens a store that several services use as their MongoDB. */
export async function servicesAtOneStore(): Promise<ServicesAtOneStore> {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-one-store-'));
  const store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const services: TestService[] = [];
  return {
    uri: store.uri,
    async start(options = {}) {
      const service = await startService({
        ...options,
        env: {
          MONGODB_URI: store.uri,
          HYPHA_TOKEN_SECRET: 'the secret of all services, which is long enough',
          HYPHA_CONNECTOR_MASTER_PASSWORD: 'the password of all services',
          ...options.env,
        },
      });
      services.push(service);
      return service;
    },
    async close() {
      for (const service of services.reverse()) await service.close();
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
