import type { RecordedExchange } from '../events';
import type { OutboundRequest, OutboundResponse, Ports, RuledValues } from '../ports';
import type { RunSecrets } from '../secrets/run-secrets';
import { SegmentRecorder } from './segments';
import type { Value } from '../value';

/** What a step sent and received. */
interface SentCall {
  readonly request: OutboundRequest | null;
  readonly sent: Value;
  readonly response: OutboundResponse | null;
  readonly body: Value;
}

/** Maximum characters of a payload that is kept with the error of a run. */
const MAX_PAYLOAD = 16 * 1024;

/**
 * Records what the step that ends a run sent and received, also if the run is not recorded. Does
 * nothing until a step fails.
 */
export class FailureRecorder {
  private loading: Promise<RuledValues | null | undefined> | null = null;

  constructor(
    private readonly secrets: RunSecrets,
    private readonly ports: Pick<Ports, 'ruledValues' | 'loadRules'>,
  ) {}

  /** Returns null if no request was made, or the masking rules of the run are unknown. */
  async exchange(
    { request, sent, response, body }: SentCall,
    durationMs: number,
  ): Promise<RecordedExchange | null> {
    const recorder = await this.recorder();
    if (request === null || recorder === null) return null;
    return recorder.exchange(request, sent, response && { response, body, durationMs });
  }

  /** Loads the masking rules of a run that is not recorded. Null: they are unknown. */
  load(): Promise<RuledValues | null | undefined> {
    const { loadRules, ruledValues } = this.ports;
    return (this.loading ??= loadRules?.() ?? Promise.resolve(ruledValues));
  }

  /** Returns null if the masking rules of the run are unknown. */
  async recorder(): Promise<SegmentRecorder | null> {
    const ruled = await this.load();
    return ruled === null ? null : new SegmentRecorder(this.secrets, MAX_PAYLOAD, ruled);
  }
}
