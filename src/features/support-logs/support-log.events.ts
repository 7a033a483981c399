/** Bus topic: a `SupportLogsChanged` after support files became ready or were deleted. */
export const SUPPORT_LOGS_TOPIC = 'support-logs.changed';

export interface SupportLogsChanged {
  readonly ids: readonly number[];
}
