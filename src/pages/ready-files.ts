import { existsSync } from 'node:fs';
import Negotiator from 'negotiator';
import type { RequestHandler } from 'express';
import { READY_CODINGS } from './assets';

const OPTIONS = { dotfiles: 'allow', headers: { 'Cache-Control': 'public, max-age=3600' } } as const;

/** Negotiator 1 takes the order that decides between codings a client likes equally; its types are those of version 0.6. */
type Chooses = (available: readonly string[], options: { preferred: readonly string[] }) => string | undefined;

/**
 * Sends a file, in a coding the client takes when the build made one ready. Where nothing was built the answer is compressed on its way,
 * like any other.
 */
export function fileSender(file: string): RequestHandler {
  const ready = new Map<string, string>(READY_CODINGS.map(([coding, suffix]) => [coding, `${file}${suffix}`] as const).filter(([, path]) => existsSync(path)));
  const preferred = [...ready.keys()];
  return (request, response) => {
    if (ready.size > 0) response.vary('Accept-Encoding');
    const negotiator = new Negotiator(request);
    const coding = (negotiator.encoding as Chooses).call(negotiator, [...preferred, 'identity'], { preferred }) ?? 'identity';
    const packed = request.headers['accept-encoding'] === undefined ? undefined : ready.get(coding);
    if (packed !== undefined) response.type(file.slice(file.lastIndexOf('.'))).set('Content-Encoding', coding);
    response.sendFile(packed ?? file, OPTIONS);
  };
}
