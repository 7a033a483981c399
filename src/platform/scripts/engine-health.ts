import { join } from 'node:path';
import { GrpcFailure, openGrpc } from '../outbound';
import type { PolyglotConfig } from './polyglot';

const FILE = join(__dirname, '../../../schema/grpc-health.proto');
const LONGEST_ANSWER = 4_096;
const WITHIN_MS = 1_000;

/** What the health service of the engine says (`SERVING`), or the status of gRPC that came instead. Asked with a connection of its own: one that was lost just now may not know yet. */
async function healthOf(
  place: PolyglotConfig,
): Promise<{ readonly said: string } | { readonly failed: string }> {
  const service = openGrpc({
    file: FILE,
    service: 'grpc.health.v1.Health',
    ...place,
    maxBytes: LONGEST_ANSWER,
  });
  try {
    const { status } = await service.call<{ readonly status: string }>(
      'Check',
      { service: '' },
      { timeoutMs: WITHIN_MS, signal: new AbortController().signal },
    );
    return { said: status };
  } catch (error) {
    if (error instanceof GrpcFailure) return { failed: error.status };
    throw error;
  } finally {
    service.close();
  }
}

const SILENT: ReadonlySet<string> = new Set(['UNAVAILABLE', 'DEADLINE_EXCEEDED']);

/** Does an engine serve there? Null: it does; else why not, for people. */
export async function whyEngineIsDown(place: PolyglotConfig): Promise<string | null> {
  const health = await healthOf(place);
  if ('failed' in health)
    return SILENT.has(health.failed) ? 'It does not answer.' : `It answers ${health.failed}.`;
  return health.said === 'SERVING' ? null : `It says ${health.said}.`;
}

/** Is there an engine, whatever it says? */
export async function isEngineThere(place: PolyglotConfig): Promise<boolean> {
  const health = await healthOf(place);
  return !('failed' in health && SILENT.has(health.failed));
}
