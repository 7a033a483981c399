import { join } from 'node:path';
import { GrpcFailure, openGrpc } from '../outbound';
import type { GrpcService } from '../outbound';
import type { SandboxLimits } from './sandbox-messages';
import type { Script, ScriptErrorCode } from './script';
import { outOfMemory, ScriptError, timedOut } from './script';

/** Location of the engine for scripts in other languages. */
export interface PolyglotConfig {
  readonly host: string;
  readonly port: number;
  /**
   * How long to wait for an engine that does not respond, ms; it may be restarting. Default 3000.
   */
  readonly reachMs?: number;
}

interface Failure {
  /** Enum name; a number if the `.proto` does not define it. */
  readonly kind: string | number;
  readonly message: string;
  readonly line: number;
}

/** `outcome` is the name of the field that is set. */
interface Answer {
  readonly outcome?: 'json' | 'failure';
  readonly json?: string;
  readonly failure?: Failure;
}

const FILE = join(__dirname, '../../../schema/polyglot.proto');
const SERVICE = 'hypha.polyglot.v1.ScriptEngine';
const REACH_MS = 3_000;
/** The engine enforces the timeout; after this extra time, the service stops waiting. */
const GRACE_MS = 500;
const LONGEST_MESSAGE = 4_096;

const CODES: ReadonlyMap<Failure['kind'], ScriptErrorCode> = new Map([
  ['ERROR', 'SCRIPT_ERROR'],
  ['TIMEOUT', 'SCRIPT_TIMEOUT'],
  ['OUT_OF_MEMORY', 'SCRIPT_OUT_OF_MEMORY'],
  ['RESULT_INVALID', 'SCRIPT_RESULT_INVALID'],
  ['LANGUAGE_UNKNOWN', 'SCRIPT_LANGUAGE_UNKNOWN'],
]);

/** @param maxBytes maximum message size in either direction */
export const engineService = ({ host, port }: PolyglotConfig, maxBytes: number): GrpcService =>
  openGrpc({ file: FILE, service: SERVICE, host, port, maxBytes });

/** Client of the engine for other languages than JavaScript: a separate program, called by gRPC. */
export class Polyglot {
  private readonly service: GrpcService;
  private readonly place: string;

  private readonly reachMs: number;

  constructor(
    { host, port, reachMs = REACH_MS }: PolyglotConfig,
    private readonly limits: SandboxLimits,
  ) {
    this.place = `${host}:${port}`;
    this.reachMs = reachMs;
    this.service = engineService({ host, port }, limits.memoryBytes);
  }

  /**
   * @throws ScriptError
   * @throws the reason of the signal
   */
  async evaluate(
    language: string,
    { code, variables }: Script,
    signal: AbortSignal,
  ): Promise<string> {
    const { timeoutMs, memoryBytes } = this.limits;
    if (!(await this.service.reach(this.reachMs))) throw this.unreachable();
    const request = {
      language,
      code,
      variables: variables.map(([name, json]) => ({ name, json })),
      result: 'RESULT_VAR',
      timeoutMs,
      memoryBytes,
    };
    try {
      return valueOf(
        await this.service.call<Answer>('Evaluate', request, {
          timeoutMs: timeoutMs + GRACE_MS,
          signal,
        }),
      );
    } catch (error) {
      throw error instanceof GrpcFailure ? this.failed(error.status) : error;
    }
  }

  close(): void {
    this.service.close();
  }

  private failed(status: string): ScriptError {
    switch (status) {
      case 'UNAVAILABLE':
        return this.unreachable();
      case 'DEADLINE_EXCEEDED':
        return timedOut();
      case 'RESOURCE_EXHAUSTED':
        return outOfMemory();
      default:
        return new ScriptError(
          'SCRIPT_ENGINE_FAILED',
          `The polyglot engine at ${this.place} failed: ${status}.`,
        );
    }
  }

  private unreachable(): ScriptError {
    return new ScriptError(
      'SCRIPT_ENGINE_UNREACHABLE',
      `The polyglot engine does not answer at ${this.place}.`,
    );
  }
}

function valueOf({ json, failure }: Answer): string {
  if (failure === undefined || failure === null) return checked(json ?? '');
  const { kind, message, line } = failure;
  throw new ScriptError(
    CODES.get(kind) ?? 'SCRIPT_ENGINE_FAILED',
    `${line > 0 ? `Line ${line}: ` : ''}${message || 'The engine does not say why.'}`.slice(
      0,
      LONGEST_MESSAGE,
    ),
  );
}

/** Checks that the result is JSON: the engine is a separate program. */
function checked(json: string): string {
  try {
    JSON.parse(json);
    return json;
  } catch {
    throw new ScriptError(
      'SCRIPT_RESULT_INVALID',
      'RESULT_VAR is no JSON: the polyglot engine answered something else.',
    );
  }
}
