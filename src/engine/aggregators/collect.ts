import type { MethodNode } from '../plan/plan';
import type { Exchange } from '../reference/scope';
import { bodyText } from '../response/read-body';
import type { RunContext } from '../run/context';
import { SegmentRecorder } from '../run/segments';
import type { StepTrace } from '../run/step-executor';
import { BinaryValue, toText } from '../value';
import type { Side } from './collected';

/**
 * Keeps a call for the aggregator of its method. Scripts get the response, and of the request only
 * what a log may show: no credentials and no named secrets.
 */
export function collectCall(
  node: MethodNode,
  context: RunContext,
  { request, sent, response, body, moreBytes }: StepTrace,
  exchange: Exchange,
): void {
  const {
    secrets,
    limits,
    collected,
    ports: { aggregators },
  } = context;
  const aggregator = aggregators?.get(node.aggregator ?? 0);
  if (aggregator === undefined && aggregators !== undefined) return collected.drop(node);
  if (!aggregator || request === null || response === null) return;
  secrets.learn.response(response, body);
  const { header, payload } = new SegmentRecorder(secrets, limits.maxAggregatedBytes).exchange(
    request,
    sent,
    null,
  ).request;
  // For a merged page list, the response is the merged value.
  const text =
    moreBytes > 0 || exchange.body instanceof BinaryValue
      ? toText(exchange.body)
      : bodyText(response);
  collected.add(
    node,
    { status: null, header: firstValues(header), body: payload },
    { status: exchange.status, header: firstValues(exchange.headers), body: text },
  );
}

const firstValues = (headers: Readonly<Record<string, string | string[]>>): Side['header'] =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? (value[0] ?? '') : value,
    ]),
  );
