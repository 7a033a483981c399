import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../support/process';

const read = (file: string): string => readFileSync(join(ROOT, 'deploy', file), 'utf8');

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

/** All PromQL expressions of the alert rules and the dashboard. */
export function expressions(): string[] {
  const rules = parse(read('prometheus/hypha-alerts.yml')) as Rules;
  const dashboard = JSON.parse(read('grafana/hypha-dashboard.json')) as Dashboard;
  return [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
}

/** Names of metrics in an expression; `up` is made by Prometheus itself. */
export const namesIn = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:hypha|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);

/** Values of a metric by its labels, as they are written: `{state="QUEUED"}`. */
export function valuesOf(metrics: string, name: string): Record<string, number> {
  const lines = metrics.split('\n').filter((line) => line.startsWith(name));
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [, metric, labels = '', value] = /^(\w+)(\{.*\})? (\S+)$/.exec(line) ?? [];
      return metric === name ? [[labels, Number(value)]] : [];
    }),
  );
}
