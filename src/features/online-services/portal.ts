import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Refused } from '../../platform/errors/errors';
import { parseJson } from '../../platform/json/parse-json';
import { OutboundError } from '../../platform/outbound';
import type { Outbound } from '../../platform/outbound';
import type { OnlineKind } from './online-service';

const PORTAL_LIMITS = { pages: 100, items: 10_000, pageBytes: 4 * 1024 * 1024 };
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const PATHS: Readonly<Record<OnlineKind, string>> = {
  INVOKER: 'v1/invokers',
  TEMPLATE: 'v1/templates',
};

const MAX_NAME_LENGTH = 1_024;
/** Lone surrogates have no UTF-8 encoding. */
const wellFormed = z
  .string()
  .max(MAX_NAME_LENGTH)
  .refine((text) => text.isWellFormed(), 'not well-formed Unicode');

const ItemBody = z.object({
  id: wellFormed.trim().min(1),
  name: wellFormed.optional(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 hexadecimal digits in lower case'),
  bytes: z.int().nonnegative().optional(),
  href: z.string().min(1).max(2_048),
});
const PageBody = z.object({
  items: z.array(ItemBody),
  next: z.string().min(1).max(2_048).nullish(),
});

/** A file of the portal. `id` is the name of an invoker, or the UUID of a template. */
export interface PortalItem {
  readonly id: string;
  readonly name: string;
  /** Of the bytes of the file. */
  readonly sha256: string;
  /** Size of the file, if the portal lists it. */
  readonly bytes?: number;
  /** Absolute. */
  readonly href: string;
}

export const portalFailed = (message: string): Refused => new Refused('PORTAL_FAILED', message);

function listIn(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch {
    throw portalFailed('The list of the portal is not valid JSON.');
  }
}

/** The portal did not answer, in time or at all. */
export class PortalUnreachable extends Refused {
  constructor(message: string) {
    super('PORTAL_FAILED', message);
  }
}

/** Client of an online service portal; its interface is defined in `docs/online-services.md`. */
export class Portal {
  constructor(
    private readonly outbound: Outbound,
    private readonly settings: { readonly address: string; readonly token: string | null },
  ) {}

  /**
   * Returns all items of a kind.
   * @throws Refused PORTAL_FAILED the portal does not answer, or not in the documented form
   */
  async list(kind: OnlineKind, signal: AbortSignal): Promise<PortalItem[]> {
    const items = new Map<string, PortalItem>();
    const seen = new Set<string>();
    for (let url: string | null = this.first(kind); url !== null;) {
      if (seen.has(url) || seen.size === PORTAL_LIMITS.pages)
        throw portalFailed(
          `The list of the portal has a circle, or more than ${PORTAL_LIMITS.pages} pages.`,
        );
      seen.add(url);
      const page: z.output<typeof PageBody> = await this.page(url, signal);
      for (const { id, name = id, href, ...file } of page.items) {
        if (items.has(id)) throw portalFailed(`The portal lists ${shorten(id)} twice.`);
        items.set(id, { id, name, ...file, href: this.inPortal(href, url) });
      }
      if (items.size > PORTAL_LIMITS.items)
        throw portalFailed(`The portal lists more than ${PORTAL_LIMITS.items} items.`);
      url = page.next == null ? null : this.inPortal(page.next, url);
    }
    return [...items.values()];
  }

  /**
   * Returns the bytes of a file.
   * @throws Refused PORTAL_FAILED it cannot be read, or has another hash than listed
   */
  async file(
    { href, sha256, bytes: size = 0 }: Pick<PortalItem, 'href' | 'sha256' | 'bytes'>,
    signal: AbortSignal,
  ): Promise<Buffer> {
    if (size > MAX_FILE_BYTES)
      throw portalFailed(`The file has ${size} bytes; at most ${MAX_FILE_BYTES} are allowed.`);
    const bytes = await this.get(href, MAX_FILE_BYTES, signal);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      throw portalFailed('The file has another SHA-256 than the portal lists.');
    return bytes;
  }

  /** `address` may end with a slash. */
  private first(kind: OnlineKind): string {
    const { address } = this.settings;
    return new URL(PATHS[kind], address.endsWith('/') ? address : `${address}/`).href;
  }

  private async page(url: string, signal: AbortSignal): Promise<z.output<typeof PageBody>> {
    const bytes = await this.get(url, PORTAL_LIMITS.pageBytes, signal);
    const page = PageBody.safeParse(listIn(bytes));
    if (page.success) return page.data;
    const [{ path, message }] = page.error.issues;
    throw portalFailed(
      `The list of the portal does not have the documented form: ${path.join('.') || 'it'}: ${message}`,
    );
  }

  private async get(url: string, maxResponseBytes: number, signal: AbortSignal): Promise<Buffer> {
    const { address, token } = this.settings;
    const request = {
      method: 'GET',
      url,
      headers: { ...(token !== null && { authorization: `Bearer ${token}` }) },
      maxResponseBytes,
      allowRedirect: (to: URL) => to.origin === new URL(address).origin,
    };
    const { status, body } = await this.outbound.send(request, signal).catch((error: unknown) => {
      if (error instanceof OutboundError) throw new PortalUnreachable(error.message);
      throw error;
    });
    if (status !== 200)
      throw portalFailed(`The portal answered ${new URL(url).pathname} with status ${status}.`);
    return body;
  }

  /** @throws Refused PORTAL_FAILED the link leaves the portal, where the token must not be sent */
  private inPortal(link: string, from: string): string {
    const url = URL.canParse(link, from) ? new URL(link, from) : null;
    const isWithin = url?.origin === new URL(this.settings.address).origin;
    // User and password would be sent in place of the token.
    if (url === null || !isWithin || url.username !== '' || url.password !== '')
      throw portalFailed(`The portal links to ${shorten(link)}, which is not a part of it.`);
    return url.href;
  }
}

const shorten = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);
