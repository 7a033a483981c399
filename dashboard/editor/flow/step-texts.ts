import type { IconName } from '../../parts/icon';
import type { Step } from '../document';
import { formatText } from '../fields/references';
import type { Titles } from '../fields/references';

export function stepIcon(step: Step): IconName {
  if (step.kind === 'operator') return step.type === 'LOOP' ? 'loop' : 'branch';
  if (step.methodType === 'WEBHOOK') return 'hook';
  return step.methodType === 'CONNECTOR' || step.connector?.connectorId ? 'call' : 'globe';
}

/** Removes what surrounds the list of a loop or a condition. */
const bareExpression = (text: string): string =>
  text.replace(/^\s*For(?:In)?\((.*)\)\s*$/s, '$1').trim();

/** One line of what a step does: `POST board.example.com/cards`. */
export function stepSummary(step: Step, titles: Titles): string {
  if (step.kind === 'operator')
    return step.expression.trim() === ''
      ? 'Choose what it is about'
      : formatText(bareExpression(step.expression), titles);
  const { request, connector, name } = step;
  const connectorTitle = connector?.title ?? null;
  if (connectorTitle !== null) return `${connectorTitle} · ${name ?? 'no operation'}`;
  if (!request?.endpoint) return 'Enter its address';
  const address = formatText(request.endpoint.replace(/^https?:\/\//, ''), titles);
  return `${request.method ?? 'GET'} ${address}`;
}
