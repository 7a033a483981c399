import { z } from 'zod';
import { operatorCommand } from './operator-command';
import { print, printable } from './output';
import { EXIT } from '../platform/exit-codes';

const RESULT = z.object({
  isSuccessful: z.boolean(),
  messages: z.array(z.object({ title: z.string(), text: z.string() })),
});

/** `hypha ldap test`: prints a line for each stage. Returns the exit code. */
export const testLdap = (email: string): Promise<number> =>
  operatorCommand(
    'ldap test',
    'The LDAP directory was not tested',
    () => ({ email }),
    (result) => {
      const { isSuccessful, messages } = RESULT.parse(result);
      for (const [index, { title, text }] of messages.entries()) {
        const state = isSuccessful || index < messages.length - 1 ? 'ok' : 'FAILED';
        print(`${state.padEnd(6)}  ${title}: ${printable(text)}`);
      }
      return isSuccessful ? EXIT.success : EXIT.failed;
    },
  );
