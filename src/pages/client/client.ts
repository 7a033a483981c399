import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Config } from '../../config/config';
import { releasedSettings } from '../../platform/http/frontend-settings';
import { createOriginReader } from '../../platform/http/origin';
import type { OriginReader } from '../../platform/http/origin';
import { pathSegments, requestUrl } from '../../platform/http/request-url';
import type { Logger } from '../../platform/log/logger';
import { ClientFiles, hasHash, isOwnPath } from './files';
import { policyOf, sourcesOf } from './policy';
import type { PageSources } from './policy';

/** Where released clients find their dialect, whatever `/api` speaks. */
const RELEASED = '/released';
const IMMUTABLE = 'public, max-age=31536000, immutable';

const address = z.object({
  protocol: z.string().default(''),
  hostname: z.string().default(''),
  prefix: z.string().default(''),
});
/** The `config.json` that came with a client, as far as it matters here. */
const OwnSettings = z.object({ server: address.optional(), socket: address.optional() });
type OwnSettings = z.output<typeof OwnSettings>;

interface ClientParts {
  readonly config: Config;
  readonly log: Logger;
}

/**
 * Serves a built client from `frontend.directory`: its files, `index.html` at all other paths that
 * are not the service's own, and a `config.json` if it has none. Returns undefined if no directory
 * is configured.
 */
export async function createClient({
  config,
  log,
}: ClientParts): Promise<RequestHandler | undefined> {
  const { directory } = config.frontend;
  if (directory === null) return undefined;
  const client = new Client(directory, config);
  for (const warning of await client.warnings()) log.warn(warning);
  return client.handle;
}

class Client {
  private readonly files: ClientFiles;
  private readonly index: string;
  private readonly originOf: OriginReader;
  private readonly pages = new Map<string, { version: string; sources: PageSources }>();

  constructor(
    directory: string,
    private readonly config: Config,
  ) {
    this.files = new ClientFiles(directory);
    this.index = join(this.files.root, 'index.html');
    this.originOf = createOriginReader(config);
  }

  /** Returns what of the client will not work. */
  async warnings(): Promise<string[]> {
    const hidden = this.files.hidden();
    const { server } = await this.ownSettings();
    const { rest, productPrefix } = this.config;
    return [
      ...(hidden.length === 0
        ? []
        : [
            `Files of the web client that have the name of an address of the service are not served: ${hidden.join(', ')}.`,
          ]),
      ...(rest.dialect !== 'released' && /^\/api\/?$/.test(server?.prefix ?? '')
        ? [
            `The config.json of the web client names /api, which speaks the ${rest.dialect} dialect here. Remove the file, set its server.prefix to ${RELEASED}/api, or set ${productPrefix}.rest.dialect to released.`,
          ]
        : []),
    ];
  }

  readonly handle: RequestHandler = async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const { path } = requestUrl(request.originalUrl);
    const segments = path === '/' ? [] : pathSegments(path);
    if (isOwnPath(segments)) return next();
    const file = await this.files.find(segments);
    if (file?.endsWith('.html')) return this.sendPage(file, request, response);
    if (file !== null) return sendFile(response, file);
    if (path === '/config.json') return this.sendSettings(request, response);
    if (!isPage(request, segments)) return next();
    response.vary('Accept');
    return this.sendPage(this.index, request, response);
  };

  private sendSettings(request: Request, response: Response): void {
    const { ownOrigin, baseUrl } = this.originOf(request);
    const origin = { ownOrigin, baseUrl: baseUrl + RELEASED };
    response.set('Cache-Control', 'no-cache').json(releasedSettings(this.config.server, origin));
  }

  private async sendPage(file: string, request: Request, response: Response): Promise<void> {
    const origins = await this.calledOrigins(this.originOf(request).ownOrigin);
    response.set({
      'Content-Security-Policy': policyOf(await this.sourcesOf(file), origins),
      'Referrer-Policy': 'same-origin',
    });
    sendFile(response, file);
  }

  /** Returns the origins that the client calls: where it is served, and what it is configured with. */
  private async calledOrigins(own: string): Promise<string[]> {
    const { publicUrl } = this.config.server;
    const { server, socket } = await this.ownSettings();
    const configured = [server, socket].flatMap((called) =>
      called === undefined || called.hostname === ''
        ? []
        : [`${called.protocol || new URL(own).protocol.replace(':', '')}://${called.hostname}`],
    );
    return [own, ...(publicUrl === null ? [] : [publicUrl]), ...configured].filter((origin) =>
      URL.canParse(origin),
    );
  }

  /** Reads a page again when its file has changed. */
  private async sourcesOf(file: string): Promise<PageSources> {
    const { mtimeMs, size } = await stat(file);
    const version = `${mtimeMs} ${size}`;
    const cachedPage = this.pages.get(file);
    if (cachedPage?.version === version) return cachedPage.sources;
    const sources = sourcesOf(await readFile(file, 'utf8'));
    this.pages.set(file, { version, sources });
    return sources;
  }

  private async ownSettings(): Promise<OwnSettings> {
    try {
      const file = await readFile(join(this.files.root, 'config.json'), 'utf8');
      return OwnSettings.parse(JSON.parse(file));
    } catch {
      return {};
    }
  }
}

/** Returns whether a request without a file is for a page of the client, and not for a lost file. */
function isPage(request: Request, segments: readonly string[]): boolean {
  if (!request.accepts('html')) return false;
  return (
    !(segments.at(-1) ?? '').includes('.') || /\btext\/html\b/i.test(request.headers.accept ?? '')
  );
}

function sendFile(response: Response, file: string): void {
  response.set('Cache-Control', hasHash(basename(file)) ? IMMUTABLE : 'no-cache');
  // The path was checked; a folder above the directory may be hidden.
  response.sendFile(file, { cacheControl: false, dotfiles: 'allow' });
}
