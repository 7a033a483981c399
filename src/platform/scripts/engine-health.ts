import { join } from 'node:path';
import { GrpcFailure, openGrpc } from '../outbound';
import type { PolyglotConfig } from './polyglot';

const FILE = join(__dirname, '../../../schema/grpc-health.proto');
const LONGEST_ANSWER = 4_096;
const WITHIN_MS = 1_000;

/**
 * Returns the status of the gRPC health service (`SERVING`), or the gRPC status of a failure. Uses
 * a new connection: an existing one may not have noticed that the engine is gone.
 */
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

/** Returns null if the engine serves requests; otherwise the reason, for users. */
export async function whyEngineIsDown(place: PolyglotConfig): Promise<string | null> {
  const health = await healthOf(place);
  if ('failed' in health)
    return SILENT.has(health.failed) ? 'It does not answer.' : `It answers ${health.failed}.`;
  return health.said === 'SERVING' ? null : `It says ${health.said}.`;
}

/** Returns whether an engine responds, in whatever state. */
export async function isEngineThere(place: PolyglotConfig): Promise<boolean> {
  const health = await healthOf(place);
  return !('failed' in health && SILENT.has(health.failed));
}
