import type { Services } from '../../platform/context';
import type { Destination } from '../../platform/http/dialects/destination';
import type { SystemSample } from './system-metrics.service';
import { widgetPolicy } from './widget.policy';

const rounded = (value: number): number => Math.round(value * 100) / 100;
const kilobytes = (bytes: number): number => Math.round(bytes / 1024);

/** The figures in the units of the 5.x client. */
const presentSample = ({
  executions,
  executionsMs,
  networkBytesPerSecond,
  ...sample
}: SystemSample): object => ({
  total_execs: executions,
  total_failed_execs: sample.failures,
  average_runtime_s: executions === 0 ? 0 : rounded(executionsMs / executions / 1_000),
  total_runtime: rounded(executionsMs / 1_000),
  ...(sample.logBytes !== null && { exec_log_size: kilobytes(sample.logBytes) }),
  cpu_usage: rounded(sample.cpuPercent),
  memory_usage: kilobytes(sample.memoryBytes),
  max_memory_size: kilobytes(sample.maxMemoryBytes),
  disk: rounded(sample.diskPercent),
  ...(networkBytesPerSecond !== null && { network: rounded(networkBytesPerSecond / 1024) }),
  timestamp: sample.at.getTime(),
});

/** The figures of the dashboard of the 5.x client. */
export const widgetDestinations = ({
  systemMetrics,
}: Pick<Services, 'systemMetrics'>): Destination[] => [
  {
    path: '/subscription/system/metrics',
    needs: widgetPolicy.read,
    async *messages({ signal }) {
      for await (const sample of systemMetrics.follow(signal)) yield presentSample(sample);
    },
  },
];
