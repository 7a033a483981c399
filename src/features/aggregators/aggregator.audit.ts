import type { AggregatorRecord } from './aggregator.model';

/** What the audit keeps of an aggregator: all but its script, of which it says when there is a new one. */
export function recorded(
  { name, args, active, version }: AggregatorRecord,
  { isScriptNew = false } = {},
): object {
  return { name, args, active, version, ...(isScriptNew ? { scriptChanged: true } : {}) };
}
