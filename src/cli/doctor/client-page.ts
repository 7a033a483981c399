import { z } from 'zod';
import type { Answer, ClientCalls } from './client-calls';

/** Addresses that a released client calls. None ends with a slash. */
export interface ClientAddresses {
  readonly line: '4.x' | '5.x';
  /** Of its pages. */
  readonly origin: string;
  readonly api: string;
  /** What `login` and `actuator` are relative to. */
  readonly base: string;
  readonly socket: string;
  /** What the addresses were read from. */
  readonly readFrom: string;
}

const MAX_SCRIPTS = 20;
/** In every released build of the 4.x client. */
const PORT_OF_4X = '9090';

const endpoint = z.object({
  protocol: z.string().default(''),
  hostname: z.string().default(''),
  port: z.union([z.string(), z.number()]).transform(String).default(''),
  prefix: z.string().default(''),
});
const Settings = z.object({ server: endpoint, socket: endpoint });
type Endpoint = z.output<typeof endpoint>;

/**
 * Reads where the client at an address will find its server: a 5.x client from its `config.json`,
 * a 4.x client from its scripts.
 * @throws Error with a message for the operator if there is no client
 */
export async function readClient(calls: ClientCalls, address: string): Promise<ClientAddresses> {
  const { status, text, url } = await load(calls, address);
  if (status !== 200) throw new Error(`The client at ${address} answered ${status}.`);
  if (!/<(?:html|script|!doctype html)\b/i.test(text))
    throw new Error(`There is no page at ${address}.`);
  // First, since the service makes a `config.json` for every client that it serves.
  const port = await compiledPort(calls, url, text);
  if (port !== null) return addressesOf4x(url, port, 'a script of the page');
  return (
    (await configuredAddresses(calls, url)) ??
    addressesOf4x(url, PORT_OF_4X, 'the usual port, since no script of the page names one')
  );
}

const load = (calls: ClientCalls, address: string, accept = 'text/html'): Promise<Answer> =>
  calls.send('GET', address, { accept });

/** Returns null if there is no `config.json` of the 5.x client. */
async function configuredAddresses(calls: ClientCalls, page: URL): Promise<ClientAddresses | null> {
  const file = new URL('/config.json', page).href;
  const { status, fields } = await load(calls, file, 'application/json');
  const settings = status === 200 ? Settings.safeParse(fields).data : undefined;
  if (settings === undefined) return null;
  const api = addressOf(settings.server, page);
  return {
    line: '5.x',
    origin: page.origin,
    api,
    base: api,
    socket: addressOf(settings.socket, page),
    readFrom: file,
  };
}

/** The client adds no port to its own host name if none is configured. */
function addressOf({ protocol, hostname, port, prefix }: Endpoint, page: URL): string {
  const scheme = protocol === '' ? page.protocol : `${protocol.replace(/:$/, '')}:`;
  const host = (hostname === '' ? page.hostname : hostname) + (port === '' ? '' : `:${port}`);
  const address = `${scheme}//${host}${prefix}`;
  if (!URL.canParse(address))
    throw new Error(`${new URL('/config.json', page).href} names no address: ${address}`);
  let { href } = new URL(address);
  while (href.endsWith('/')) href = href.slice(0, -1);
  return href;
}

function addressesOf4x(page: URL, port: string, readFrom: string): ClientAddresses {
  const base = `${page.protocol}//${page.hostname}:${port}`;
  return {
    line: '4.x',
    origin: page.origin,
    api: `${base}/api`,
    base,
    socket: `${base}/websocket`,
    readFrom,
  };
}

/** Finds the port in the scripts: `urlInfo: { port: { api: 9090, socket: 8082, … }, … }`. */
async function compiledPort(calls: ClientCalls, page: URL, html: string): Promise<string | null> {
  const sources = [...html.matchAll(/<script\b[^>]*\bsrc\s*=\s*["']?([^"'\s>]+)/gi)]
    .map(([, source = '']) => new URL(source, page))
    .filter(({ origin }) => origin === page.origin)
    .slice(0, MAX_SCRIPTS);
  const scripts = await Promise.all(sources.map(({ href }) => load(calls, href, '*/*')));
  const texts = [html, ...scripts.map((script) => script.text)];
  for (const text of texts.filter((each) => each.includes('urlInfo'))) {
    const [, port] = /\bapi["']?\s*:\s*["']?(\d{2,5})["']?\s*,\s*["']?socket\b/.exec(text) ?? [];
    if (port !== undefined) return port;
  }
  return null;
}
