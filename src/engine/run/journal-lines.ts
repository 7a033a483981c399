import { decodeEntry, encodeEntry } from './journal-entry';

/** A step in a run. */
interface StepAt {
  readonly index: string;
  readonly loopIndex: readonly number[];
}

/** The journal of a run without what its last step learned, so that the step begins again. */
export function withoutLastStep(
  lines: readonly string[],
  { index, loopIndex }: StepAt,
): readonly string[] {
  const begin = `${index}/${loopIndex.join('.')}/`;
  return lines.slice(0, lines.findLastIndex((line) => !decodeEntry(line).at.startsWith(begin)) + 1);
}

/** The journal of a run whose last call may have arrived, as if it had had an empty answer. */
export function withEmptyAnswer(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1);
  const open = last === undefined ? null : decodeEntry(last);
  if (open?.kind !== 'begun') throw new Error('The last call of the journal has an answer.');
  // The answer of a call follows its begin.
  const end = open.at.lastIndexOf('/') + 1;
  const at = `${open.at.slice(0, end)}${Number(open.at.slice(end)) + 1}`;
  const response = { status: 200, headers: {}, body: Buffer.alloc(0) };
  return [...lines, encodeEntry({ kind: 'answer', at, response, ms: 0, cookies: [] })];
}
