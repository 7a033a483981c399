import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/process';
import { expressions } from '../monitoring/support';

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
const withPromtool = hasPromtool ? it : it.skip;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-prometheus-'));
  cpSync(join(ROOT, 'deploy/prometheus'), dir, { recursive: true });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const promtool = (...args: string[]): { status: number | null; output: string } => {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: dir, encoding: 'utf8' });
  return { status, output: stdout + stderr };
};

withPromtool('promtool accepts the example configuration and the alert rules', () => {
  const token = join(dir, 'token');
  writeFileSync(token, 'a token');
  const file = join(dir, 'prometheus.yml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('/etc/prometheus/hypha-metrics-token', token),
  );
  expect(promtool('check', 'config', 'prometheus.yml')).toMatchObject({ status: 0 });
});

withPromtool('promtool parses every expression of the dashboard', () => {
  const rules = expressions().map((expr, nth) => ({
    record: `test:expression${nth}`,
    // Variables that Grafana replaces.
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'hypha'),
  }));
  writeFileSync(join(dir, 'expressions.yml'), JSON.stringify({ groups: [{ name: 'all', rules }] }));
  expect(promtool('check', 'rules', 'expressions.yml')).toMatchObject({ status: 0 });
});

withPromtool('the alerts fire on the values that they are made for', () => {
  const series = (name: string, values: string) => ({ series: name, values });
  const test = (
    eval_time: string,
    alertname: string,
    input_series: object[],
    exp_labels: object,
  ) => ({
    interval: '1m',
    input_series,
    alert_rule_test: [{ eval_time, alertname, exp_alerts: [{ exp_labels }] }],
  });
  const job = 'job="hypha"';
  const instance = 'instance="one"';
  writeFileSync(
    join(dir, 'tests.yml'),
    JSON.stringify({
      rule_files: ['hypha-alerts-without-texts.yml'],
      tests: [
        test('5m', 'HyphaDown', [series(`up{${job},${instance}}`, '0x10')], {
          severity: 'critical',
          job: 'hypha',
          instance: 'one',
        }),
        test('12m', 'HyphaRunsWait', [series(`hypha_run_queue_oldest_seconds{${job}}`, '400x20')], {
          severity: 'warning',
          job: 'hypha',
        }),
        test(
          '12m',
          'HyphaProcessDied',
          [series(`hypha_processes{${job},${instance},state="dead"}`, '0x9 1x10')],
          { severity: 'warning' },
        ),
        test(
          '20m',
          'HyphaProcessLate',
          [
            series(
              `hypha_processes{${job},${instance},state="late"}`,
              '0 1 0x2 1 0 1 0 1 0x2 1 0 1 0 1 0 1 0 1 0 1 0 1',
            ),
          ],
          { severity: 'warning', job: 'hypha' },
        ),
        test(
          '5m',
          'HyphaStoreLag',
          [series(`hypha_store_lag_seconds{${job},${instance}}`, '20x10')],
          {
            severity: 'warning',
            instance: 'one',
          },
        ),
        test('5m', 'HyphaStoreFull', [series(`hypha_store_full{${job},${instance}}`, '1x10')], {
          severity: 'critical',
          job: 'hypha',
          instance: 'one',
        }),
        test('8m', 'HyphaRedisLost', [series(`hypha_redis_up{${job},${instance}}`, '0x10')], {
          severity: 'warning',
          job: 'hypha',
          instance: 'one',
        }),
        test(
          '6h',
          'HyphaDiskSpaceLow',
          [series(`hypha_disk_free_bytes{${job},${instance}}`, '4e9-5e6x600')],
          { severity: 'warning', job: 'hypha', instance: 'one' },
        ),
        test(
          '90m',
          'HyphaStoreLarge',
          [series(`hypha_store_size_bytes{${job},${instance}}`, '3e10x100')],
          { severity: 'warning', job: 'hypha', instance: 'one' },
        ),
        test(
          '40m',
          'HyphaRunsFail',
          [
            series(`hypha_runs_ended_total{${job},state="FAILED"}`, '0+3x60'),
            series(`hypha_runs_ended_total{${job},state="SUCCEEDED"}`, '0+1x60'),
          ],
          { severity: 'warning', job: 'hypha' },
        ),
      ],
    }),
  );
  // Texts would have to be repeated here.
  writeFileSync(
    join(dir, 'hypha-alerts-without-texts.yml'),
    readFileSync(join(dir, 'hypha-alerts.yml'), 'utf8').replaceAll(
      /^ +annotations:\n(?: {10,}.*\n)+/gm,
      '',
    ),
  );
  expect(promtool('test', 'rules', 'tests.yml')).toMatchObject({ status: 0 });
});
