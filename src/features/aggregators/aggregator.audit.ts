import type { AggregatorRecord } from './aggregator.model';

/** The audit record of an aggregator, without its script: only whether that changed. */
export function recorded(
  { name, args, active, version }: AggregatorRecord,
  { isScriptNew = false } = {},
): object {
  return { name, args, active, version, ...(isScriptNew ? { scriptChanged: true } : {}) };
}
