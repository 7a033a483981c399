import { parseExactJson } from '../exact-json';
import type { RunContext } from '../run/context';
import { failureOf } from '../errors';
import { MASK, printMasked } from '../../platform/redaction';
import { isSecretName } from '../../platform/secrets';
import { describeBinary, isMap } from '../value';
import type { Value } from '../value';
import type { Calls } from './collected';
import type { AggregatedValue, RunAggregator } from './run-aggregator';

/** Maximum characters kept per run: of one value as JSON, and of all values. */
const LONGEST = { value: 4_096, all: 32_768 } as const;
/** Maximum length of a script error message, in characters. */
const LONGEST_MESSAGE = 500;

/**
 * Evaluates the aggregators of a successful run, in walking order: one for each method that was
 * called and names one. A failure of an aggregator is logged in the run and has no other effect.
 * @throws RunStopped, EventsRefused
 * @throws EngineError errors of the event log
 */
export async function aggregate(context: RunContext): Promise<AggregatedValue[]> {
  const values: AggregatedValue[] = [];
  let room: number = LONGEST.all;
  for (const [node, calls] of context.collected.inOrder()) {
    const { stepId, index, aggregator: id } = node;
    const aggregator = context.ports.aggregators?.get(id ?? 0);
    const warn = async (text: string): Promise<void> => {
      await context.events.emit({
        kind: 'RunLog',
        level: 'WARN',
        stepId,
        index,
        message: `The aggregator ${aggregator ? JSON.stringify(aggregator.name) : id}: ${text}`,
      });
    };
    if (!aggregator) {
      await warn('AGGREGATOR_NOT_FOUND: there is none by this id.');
      continue;
    }
    if (calls === null) {
      await warn(
        `AGGREGATOR_TOO_LARGE: what its calls sent and were answered is larger than ${context.limits.maxAggregatedBytes} bytes.`,
      );
      continue;
    }
    const left = await evaluated(aggregator, calls, context, warn);
    for (const { id: argumentId, name } of aggregator.args) {
      const value = left[name] ?? null;
      if (value === null) continue;
      const { text: json, isCut } = isSecretName(name)
        ? { text: JSON.stringify(MASK), isCut: false }
        : printMasked(value, LONGEST.value, context.secrets, describeBinary);
      if (isCut || json.length > room) {
        await warn(`AGGREGATOR_VALUE_TOO_LARGE: ${name} is longer than is kept.`);
        continue;
      }
      room -= json.length;
      values.push({ aggregatorId: id ?? 0, argumentId, name, stepId, index, value: json });
    }
  }
  return values;
}

/** Returns the variables by name; none if the script failed. */
async function evaluated(
  { script, args }: RunAggregator,
  { requests, responses }: Calls,
  context: RunContext,
  warn: (text: string) => Promise<void>,
): Promise<Readonly<Record<string, Value>>> {
  const variables = [
    ['Requests', JSON.stringify(requests)],
    ['Responses', JSON.stringify(responses)],
  ] as const;
  try {
    const left = parseExactJson(
      await context.ports.scripts.evaluate(
        { language: 'js', code: withResult(script, args), variables },
        context.stop.signal,
      ),
    ) as Value;
    return isMap(left) ? left : {};
  } catch (error) {
    context.stop.check();
    await warn(describeFailure(error, context));
    return {};
  }
}

/** Appends code that reads the variables after the script, including those that it declares. */
function withResult(script: string, args: RunAggregator['args']): string {
  const fields = args.map(
    ({ name }) => `${JSON.stringify(name)}: typeof ${name} === 'undefined' ? null : ${name}`,
  );
  return `${script}\n;RESULT_VAR = {${fields.join(', ')}};`;
}

/**
 * Error message of a script. It may quote the input, so secrets are hidden before truncation. An
 * internal error gives no details.
 */
function describeFailure(error: unknown, { secrets }: RunContext): string {
  const { code, message } = failureOf(error);
  const hidden = secrets.hide(message);
  return `${code}: ${hidden.length > LONGEST_MESSAGE ? `${hidden.slice(0, LONGEST_MESSAGE)}…` : hidden}`;
}
