import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { storeConnection } from '../store/stored';

type Kind = 'invokers' | 'templates';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A portal of online services, as docs/online-services.md defines it, with a list of two items a page. */
export interface TestPortal {
  readonly url: string;
  readonly env: Record<string, string>;
  /** Files by id; change them at will. */
  readonly files: Record<Kind, Map<string, string>>;
  /** Answers in place of the portal, by path: misbehaviour. */
  readonly instead: Map<string, Answer>;
  /** Paths that were requested, in order. */
  readonly requested: string[];
  readonly tokens: (string | undefined)[];
  close(): Promise<void>;
}

/** The portals of this process, by address. */
const portals = new Map<string, TestPortal>();

export function portalAt(address: string): TestPortal {
  const portal = portals.get(address);
  if (!portal) throw new Error(`No portal of the tests is at ${address}.`);
  return portal;
}

const PAGE = 2;
export const PORTAL_TOKEN = 'token-of-the-portal';

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

export async function startPortal(): Promise<TestPortal> {
  const files = { invokers: new Map<string, string>(), templates: new Map<string, string>() };
  const instead = new Map<string, Answer>();
  const requested: string[] = [];
  const tokens: (string | undefined)[] = [];

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://portal');
    requested.push(url.pathname);
    tokens.push(request.headers.authorization);
    const other = instead.get(url.pathname);
    if (other) return other(request, response);
    const [, , , kind, file] = url.pathname.split('/');
    const entries = files[kind as Kind];
    if (file !== undefined) {
      const text = entries?.get(decodeURIComponent(file));
      response.statusCode = text === undefined ? 404 : 200;
      return response.end(text);
    }
    const from = Number(url.searchParams.get('from') ?? 0);
    const all = [...entries].map(([id, text]) => ({
      id,
      sha256: hashOf(text),
      bytes: Buffer.byteLength(text),
      href: `${kind}/${encodeURIComponent(id)}`,
    }));
    const next = from + PAGE < all.length ? `?from=${from + PAGE}` : null;
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ items: all.slice(from, from + PAGE), next }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/portal`;
  const portal: TestPortal = {
    url,
    files,
    instead,
    requested,
    tokens,
    env: {
      HYPHA_ONLINE_SERVICES_ACTIVE: 'true',
      HYPHA_ONLINE_SERVICES_URL: url,
      HYPHA_ONLINE_SERVICES_TOKEN: PORTAL_TOKEN,
    },
    close: () =>
      new Promise((resolve) => {
        portals.delete(url);
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  portals.set(url, portal);
  return portal;
}

/** Stores a synchronisation that has ended. */
export async function storedSynchronisation(_id: number): Promise<void> {
  const at = new Date();
  const actions = ['ADDED', 'UPDATED', 'LINKED', 'UNCHANGED', 'KEPT', 'CONFLICT', 'GONE', 'FAILED'];
  await storeConnection()
    .collection<any>('synchronisations')
    .insertOne({
      _id,
      kind: 'INVOKER',
      isDryRun: false,
      startedBy: null,
      dueAt: null,
      state: 'SUCCEEDED',
      message: null,
      counts: Object.fromEntries(actions.map((action) => [action, 0])),
      items: [],
      startedAt: at,
      finishedAt: at,
      aliveUntil: at,
    });
}
