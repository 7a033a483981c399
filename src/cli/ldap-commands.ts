import { z } from 'zod';
import { operate } from './operate';
import { messageOf, print, printable, refuse } from './output';
import { ConfigError, loadProcessConfig } from '../config/load';
import { EXIT } from '../platform/exit-codes';

const RESULT = z.object({
  isSuccessful: z.boolean(),
  messages: z.array(z.object({ title: z.string(), text: z.string() })),
});

/** `hypha ldap test`: prints a line for each stage. Returns the exit code. */
export async function testLdap(email: string): Promise<number> {
  const failure = 'The LDAP directory was not tested';
  try {
    const { config } = loadProcessConfig();
    const answer = await operate(config, 'ldap test', { email });
    if (!answer.done)
      return refuse(
        EXIT.failed,
        [`${failure}: ${answer.message}`, ...answer.problems.map((problem) => `  ${problem}`)].join(
          '\n',
        ),
      );
    const { isSuccessful, messages } = RESULT.parse(answer.result);
    for (const [index, { title, text }] of messages.entries()) {
      const state = isSuccessful || index < messages.length - 1 ? 'ok' : 'FAILED';
      print(`${state.padEnd(6)}  ${title}: ${printable(text)}`);
    }
    return isSuccessful ? EXIT.success : EXIT.failed;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `${failure}: ${messageOf(error)}`);
  }
}
