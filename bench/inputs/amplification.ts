import { readFileSync } from 'node:fs';
import { inputTasks } from '../../src/input-tasks';
import { parseJson } from '../../src/platform/json/parse-json';
import { HOSTILE_INPUTS } from './hostile-inputs';

/*
 * Reads one hostile input in this process, and reports to its parent how much memory that took: the maximum resident size above that before.
 * Started once for each input, since memory that was allocated once is not returned.
 */
const [name = '', bytes = '0'] = process.argv.slice(2);

async function read(input: Buffer, task: string): Promise<unknown> {
  const ignore = (): void => undefined;
  switch (task) {
    case 'invoker':
      return inputTasks.invoker({ fileName: 'a.xml', xml: input, path: ['file'] });
    case 'invokers':
      return inputTasks.invokers(input, ignore);
    case 'template':
      return inputTasks.template(input);
    case 'templates':
      return inputTasks.templates(input, ignore);
    default:
      return parseJson(input);
  }
}

const peak = (): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1_024;

async function measure(): Promise<void> {
  const kind = HOSTILE_INPUTS.find((one) => one.name === name);
  if (!kind) throw new Error(`There is no input called ${name}.`);
  const input = await kind.make(Number(bytes));
  globalThis.gc?.();
  const before = peak();
  const outcome = await read(input, kind.task).then(
    () => 'read',
    (error: Error & { code?: string }) => error.code ?? error.message,
  );
  process.send?.({ inputBytes: input.length, grownBytes: peak() - before, outcome });
}

void measure();
