import DataLoader from 'dataloader';
import type { Actor } from '../../access/actor';
import type { Authentication } from '../../access/need';
import type { GraphqlContext, Origin, Services } from '../../context';
import { TokenExpired, Unauthenticated } from '../../errors/errors';
import type { StorageState } from '../../store/full-disk';
import type { RunningOperation } from './time-limit';

interface ContextParts {
  readonly origin: Origin;
  readonly authentication: Authentication;
  readonly services: Services;
  readonly running: RunningOperation;
  readonly defaultPage: number;
  /** Reads the session again; the result may be cached for the current event loop iteration. */
  readonly readSession: () => Promise<Authentication>;
  /** Reads the session as it is at this moment. */
  readonly authenticateNow: () => Authentication | Promise<Authentication>;
  readonly storage: StorageState;
  readonly setHeader?: (name: string, value: string) => void;
}

/**
 * The context of one request, socket operation or event; its loaders and actor are used for nothing
 * else.
 */
export function createGraphqlContext({
  origin,
  authentication: authenticated,
  services,
  running,
  defaultPage,
  readSession,
  authenticateNow,
  storage,
  setHeader = () => undefined,
}: ContextParts): GraphqlContext {
  const loaders = new Map<string, DataLoader<unknown, unknown>>();
  let authentication = authenticated;
  let mutations = 0;
  return {
    origin,
    get authentication(): Authentication {
      return authentication;
    },
    services,
    get signal(): AbortSignal {
      return running.signal;
    },
    defaultPage,
    setHeader,
    isStorageFull: () => storage.isFull(),
    get actor(): Actor {
      return signedIn(authentication);
    },
    actorNow: async () => signedIn(await readSession()),
    loader<K, V>(
      name: string,
      load: (keys: readonly K[]) => Promise<readonly (V | Error | null)[]>,
    ) {
      const existing = loaders.get(name) as DataLoader<K, V | null> | undefined;
      if (existing) return existing;
      const made = new DataLoader<K, V | null>(load);
      loaders.set(name, made);
      return made;
    },
    async beginMutation() {
      loaders.clear();
      mutations += 1;
      if (mutations > 1) authentication = await authenticateNow();
    },
  };
}

function signedIn(authentication: Authentication): Actor {
  if (authentication.state === 'signed-in') return authentication.actor;
  throw authentication.state === 'expired'
    ? new TokenExpired(authentication.credential)
    : new Unauthenticated();
}
