import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header by which a call of a run to this service says which run makes it, in lower case. */
export const RUN_HEADER = 'x-hypha-run';

const PURPOSE = 'hypha: marks of runs';
const MARK = /^(\d{1,16})\.(\d{1,4})\.([\w-]{43})$/;

/** A run, and the how many-th it is of runs that started each other: 1 where nobody's run did. */
export interface RunMark {
  readonly runId: number;
  readonly depth: number;
}

/** Signs and reads what a run says of itself. Whoever has a mark can only be taken for deeper than he is. */
export interface RunMarks {
  sign(mark: RunMark): string;
  /** Null: there is none, or it is not ours. */
  read(header: string | undefined): RunMark | null;
}

/** @param secret of the tokens: the processes at one database have the same. The marks are signed with a key made of it */
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
      const given = Buffer.from(signature, 'base64url');
      const ours = signatureOf(runId, depth);
      return given.length === ours.length && timingSafeEqual(given, ours)
        ? { runId: Number(runId), depth: Number(depth) }
        : null;
    },
  };
}
