import type Agent from 'undici/lib/dispatcher/agent';
import { createAddressPolicy } from './address-policy';
import type { AddressPolicy } from './address-policy';
import { call, single } from './call';
import type { RawAnswer } from './call';
import { Deadline } from './deadline';
import { explainFailure } from './explain-failure';
import { OutboundError } from './outbound-error';
import { pinnedLookup } from './pinned-lookup';
import { ACCEPTED_CODINGS, unpack } from './unpack';
import { isRedirect, nextHop } from './redirect';
import type { Hop } from './redirect';
import { basicCredentials, createTargets } from './target';
import type { Target } from './target';

export interface OutboundConfig {
  /** For calls that bring no time of their own, in milliseconds. */
  readonly timeoutMs: number;
  /** Of an unpacked answer. */
  readonly maxResponseBytes: number;
  /** 0: a redirect is an answer like any other. */
  readonly maxRedirects: number;
  /** Addresses, CIDR blocks, host names, `*.domain`, `*`. */
  readonly deny: readonly string[];
  /** Exceptions, written the same way. */
  readonly allow: readonly string[];
}

export interface OutboundRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** For the whole call with all its redirects, body included. */
  timeoutMs?: number;
  /** False: no certificate is judged in this call. */
  verifyTls?: boolean;
  /** Of an unpacked answer, where less than what is configured is of any use. */
  maxResponseBytes?: number;
  /** Asked before each redirect is followed, with where it leads; false ends the call with OUTBOUND_REDIRECT_REFUSED. */
  allowRedirect?: (to: URL) => boolean;
  /** What is sent where a redirect leads, in the place of the headers that would go there, names in lower case. Without it: those. */
  headersTo?: (to: URL, headers: Readonly<Record<string, string>>) => Record<string, string>;
}

export interface OutboundResponse {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string | string[]>;
  body: Buffer;
}

export interface Outbound {
  /**
   * Makes one call and follows its redirects.
   * @throws OutboundError when there is no answer
   * @throws the reason of the signal when the caller gave up
   */
  send(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** @throws TypeError for a rule in `deny` or `allow` that cannot be read */
export function createOutbound(config: OutboundConfig): Outbound {
  const policy = createAddressPolicy(config);
  const targetOf = createTargets(policy);
  // The deadline of a call is its clock; undici's own are switched off, but for connections that nobody waits for any more.
  const connect = { lookup: pinnedLookup(policy), timeout: config.timeoutMs };
  // Two, so that no connection of one kind serves a call of the other.
  const made = new Map<boolean, Agent>();
  const agent = (rejectUnauthorized: boolean): Agent => {
    const found = made.get(rejectUnauthorized)
      ?? createAgent({ connect: { ...connect, rejectUnauthorized }, headersTimeout: 0, bodyTimeout: 0, maxResponseSize: config.maxResponseBytes });
    made.set(rejectUnauthorized, found);
    return found;
  };
  return {
    async send(request, signal) {
      signal.throwIfAborted();
      const first = firstHop(request, targetOf(request.url));
      const deadline = new Deadline(signal, request.timeoutMs ?? config.timeoutMs);
      const { verifyTls = true, maxResponseBytes = Infinity, allowRedirect: allows = anywhere, headersTo = asTheyAre } = request;
      try {
        return await follow(first, agent(verifyTls), { policy, maxRedirects: config.maxRedirects, maxBytes: Math.min(config.maxResponseBytes, maxResponseBytes), allows, headersTo }, deadline);
      } catch (error) {
        signal.throwIfAborted();
        throw explainFailure(deadline.reason ?? error, first.target.url.host);
      } finally {
        deadline.dispose();
      }
    },
    close: async () => void (await Promise.all([...made.values()].map((each) => each.destroy()))),
  };
}

/** Late: the client takes memory that a service without runs does not need. */
function createAgent(options: ConstructorParameters<typeof Agent>[0]): Agent {
  const LateAgent = require('undici/lib/dispatcher/agent') as typeof Agent;
  return new LateAgent(options);
}

const anywhere = (): boolean => true;
const asTheyAre = (_: URL, headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> => headers;

interface Rules {
  readonly policy: AddressPolicy;
  readonly maxRedirects: number;
  /** Of an unpacked answer. */
  readonly maxBytes: number;
  readonly allows: (to: URL) => boolean;
  readonly headersTo: (to: URL, headers: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
}

async function follow(first: Hop, agent: Agent, { policy, maxRedirects, maxBytes, allows, headersTo }: Rules, deadline: Deadline): Promise<OutboundResponse> {
  const follows = maxRedirects > 0;
  let hop = first;
  for (let redirects = 0; ; redirects += 1) {
    const answer = await call(hop, agent, deadline, { follows, maxBytes });
    const location = single(answer.headers.location);
    if (!follows || !isRedirect(answer.status, location)) return isPacked(answer) ? unpacked(answer, maxBytes) : answer;
    if (redirects >= maxRedirects) {
      throw new OutboundError('OUTBOUND_TOO_MANY_REDIRECTS', `More than ${maxRedirects} redirects, starting at ${first.target.url.host}.`);
    }
    // Asked before anything else speaks against the redirect: whoever asks wants to know where it leads.
    const { url: from } = hop.target;
    const to = URL.canParse(location, from.href) ? new URL(location, from.href) : null;
    if (to !== null && !allows(to)) throw new OutboundError('OUTBOUND_REDIRECT_REFUSED', `${from.host} redirects to ${to.host || to.protocol}, where this call may not go.`);
    const next = nextHop(hop, answer.status, location, policy);
    hop = { ...next, headers: headersTo(next.target.url, next.headers) };
  }
}

const isPacked = ({ headers, body }: RawAnswer): boolean => headers['content-encoding'] !== undefined && body.length > 0;

async function unpacked(answer: RawAnswer, limit: number): Promise<OutboundResponse> {
  const body = await unpack(answer.body, single(answer.headers['content-encoding']) ?? '', limit);
  // What is not known here is for the caller to judge.
  if (body === null) return answer;
  const headers = { ...answer.headers };
  // They described the packed form.
  delete headers['content-encoding'];
  delete headers['content-length'];
  return { status: answer.status, headers, body };
}

function firstHop(request: OutboundRequest, target: Target): Hop {
  const headers: Record<string, string> = { 'user-agent': 'hypha', accept: '*/*', 'accept-encoding': ACCEPTED_CODINGS };
  const credentials = request.url.includes('@') ? basicCredentials(target.url) : null;
  if (credentials !== null) headers.authorization = credentials;
  for (const name of Object.keys(request.headers)) headers[name.toLowerCase()] = request.headers[name];
  return { target, method: request.method, headers, body: request.body };
}
