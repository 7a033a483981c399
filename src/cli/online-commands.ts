import { z } from 'zod';
import { operatorCommand } from './operator-command';
import { print, printable, progressPrinter } from './output';
import { EXIT } from '../platform/exit-codes';

/** The API name of what the command line names. */
const KINDS = { invokers: 'INVOKER', templates: 'TEMPLATE' } as const;

export interface SyncInput {
  readonly kind: keyof typeof KINDS;
  readonly isDryRun: boolean;
}

const RESULT = z.object({
  counts: z.record(z.string(), z.number()),
  items: z.array(
    z.object({ name: z.string(), action: z.string(), message: z.string().nullable() }),
  ),
});

/** `hypha online-services sync`: prints a line for each item, and the counts. Returns the exit code. */
export const synchronise = ({ kind, isDryRun }: SyncInput): Promise<number> =>
  operatorCommand(
    'online-services sync',
    `The ${kind} were not synchronised`,
    () => ({ kind: KINDS[kind], isDryRun }),
    (result) => {
      const { counts, items } = RESULT.parse(result);
      for (const { name, action, message } of items)
        print(
          printable(`${action.toLowerCase().padEnd(8)}  ${name}${message ? `: ${message}` : ''}`),
        );
      const summary = Object.entries(counts)
        .filter(([, count]) => count > 0)
        .map(([name, count]) => `${count} ${name}`);
      print(`${isDryRun ? 'dry run: ' : ''}${summary.join(', ') || `the portal has no ${kind}`}`);
      return counts.failed ? EXIT.failed : EXIT.success;
    },
    progressPrinter(kind),
  );
