import { operate } from './operate';
import { messageOf, refuse } from './output';
import { ConfigError, loadProcessConfig } from '../config/load';
import type { Report } from '../platform/control/command';
import { EXIT } from '../platform/exit-codes';

/**
 * Performs an operator command with the running or stopped service. Returns the exit code.
 * @param failure begins the message of an error
 * @param input called if the configuration is valid
 * @param show prints the result; may return an exit code
 * @param report prints progress
 */
export async function operatorCommand(
  command: string,
  failure: string,
  input: () => object | Promise<object>,
  show: (result: Readonly<Record<string, unknown>>) => number | void,
  report?: Report,
): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    const answer = await operate(config, command, await input(), report);
    if (!answer.done) {
      const problems = answer.problems.map((problem) => `\n  ${problem}`).join('');
      return refuse(EXIT.failed, `${failure}: ${answer.message}${problems}`);
    }
    return show(answer.result) ?? EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `${failure}: ${messageOf(error)}`);
  }
}
