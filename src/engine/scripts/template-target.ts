import { printReference } from '../reference/reference';
import type { Source, Template } from '../text/template';

/** What a result takes the place of: the sources it is made of. */
export const keysOf = (sources: readonly Source[]): ReadonlySet<string> => new Set(sources.flatMap((source) => (source.kind === 'reference' ? [printReference(source.reference)] : [])));

/**
 * Puts the result of a script in the place of the sources that it is made of, all of them and what stands between them; null when they do not
 * stand there.
 * @param ends ends the part of the text in which they have to stand
 */
export function withResult(template: Template, made: ReadonlySet<string>, result: Source, ends?: RegExp): Template | null {
  if (made.size === 0) return null;
  for (let start = 0; start < template.length; start += 1) {
    const missing = new Set(made);
    for (let at = start; at < template.length; at += 1) {
      const piece = template[at];
      if (typeof piece === 'string') {
        if (at === start || ends?.test(piece)) break;
        continue;
      }
      if (piece.kind !== 'reference' || !made.has(printReference(piece.reference))) break;
      missing.delete(printReference(piece.reference));
      if (missing.size === 0) return [...template.slice(0, start), result, ...template.slice(at + 1)];
    }
  }
  return null;
}
