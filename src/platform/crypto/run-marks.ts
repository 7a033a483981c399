import { createHmac, timingSafeEqual } from 'node:crypto';

/** Header (in lower case) of requests that a run sends to this service; names the run. */
export const RUN_HEADER = 'x-hypha-run';

const PURPOSE = 'hypha: marks of runs';
const MARK = /^(\d{1,16})\.(\d{1,4})\.([\w-]{43})$/;

/** A run and its depth in a chain of runs that started each other; 1 if no run started it. */
interface RunMark {
  readonly runId: number;
  readonly depth: number;
}

/** Signs and verifies run marks. A copied mark can only increase the depth of its user. */
export interface RunMarks {
  sign(mark: RunMark): string;
  /** Returns null if the mark is missing or its signature is invalid. */
  read(header: string | undefined): RunMark | null;
}

/**
 * @param secret the token secret, shared by all processes of a database; a key is derived from it
 */
export function createRunMarks(secret: Buffer): RunMarks {
  const key = createHmac('sha256', secret).update(PURPOSE).digest();
  const signatureOf = (runId: string, depth: string): Buffer =>
    createHmac('sha256', key).update(`${runId}.${depth}`).digest();
  return {
    sign({ runId, depth }) {
      const [id, nth] = [String(runId), String(depth)];
      return `${id}.${nth}.${signatureOf(id, nth).toString('base64url')}`;
    },
    read(header) {
      const [, runId, depth, signature] = MARK.exec(header ?? '') ?? [];
      if (runId === undefined || depth === undefined || signature === undefined) return null;
      const candidate = Buffer.from(signature, 'base64url');
      const ours = signatureOf(runId, depth);
      return candidate.length === ours.length && timingSafeEqual(candidate, ours)
        ? { runId: Number(runId), depth: Number(depth) }
        : null;
    },
  };
}
