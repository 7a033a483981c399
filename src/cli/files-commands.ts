import { resolve } from 'node:path';
import { z } from 'zod';
import { operatorCommand } from './operator-command';
import { print, printToStderr, progressPrinter } from './output';
import { EXIT } from '../platform/exit-codes';

export interface FilesMoveInput {
  /** `database`, `folder` or `folder:PATH`. */
  readonly to: string;
  readonly from?: string;
}

const RESULT = z.object({
  to: z.string(),
  savesTo: z.string(),
  isServed: z.boolean(),
  sources: z.array(
    z.object({
      from: z.string(),
      copied: z.number(),
      removed: z.number(),
      differing: z.array(z.string()),
    }),
  ),
});
type Result = z.infer<typeof RESULT>;

/** `hypha files move --to PLACE`: prints a line for each source. Returns the exit code. */
export const moveFiles = ({ to, from }: FilesMoveInput): Promise<number> =>
  operatorCommand(
    'files move',
    'The move is not complete',
    () => ({ to: absolute(to), from: from === undefined ? null : absolute(from) }),
    (result) => showMove(RESULT.parse(result), absolute(to)),
    progressPrinter('files'),
  );

/** The service has another working directory. */
const absolute = (place: string): string =>
  place.startsWith('folder:') ? `folder:${resolve(place.slice('folder:'.length))}` : place;

function showMove({ to, savesTo, isServed, sources }: Result, setting: string): number {
  for (const { from, copied, removed, differing } of sources) {
    print(`${from} -> ${to}: ${copied} files copied, ${removed} removed from the ${from}`);
    for (const name of differing)
      print(`  ${name} has another content in the ${to}; it was left in both`);
  }
  if (savesTo !== to)
    printToStderr(
      `New files are still saved in the ${savesTo}. Set HYPHA_FILES=${setting}, restart all processes, and run ${nextMove(setting, isServed ? null : savesTo)}`,
    );
  return sources.some(({ differing }) => differing.length > 0) ? EXIT.failed : EXIT.success;
}

/** A service reads its data directory and the database in any case, but no folder of the past. */
const nextMove = (to: string, from: string | null): string =>
  from === null
    ? `\`hypha files move --to ${to}\` again.`
    : `\`hypha files move --to ${to} --from ${from.replace(/^folder /, 'folder:')}\`. Until then, all files stay in their places.`;
