import { parentPort, workerData } from 'node:worker_threads';
import type { RunEvent } from '../../../engine';
import { RuleMask } from '../../../platform/masking/rule-mask';
import { withoutRuled } from '../execution/ruled-events';
import type { MaskSettings, MaskTask } from './mask-messages';

/** A thread that hides what rules select: a hundred of them may look at one text for seconds. */
const mask = new RuleMask((workerData as MaskSettings).rules);

const hidden: Readonly<Record<MaskTask['kind'], (text: string) => string>> = {
  events: (text) => JSON.stringify(withoutRuled(JSON.parse(text) as RunEvent, mask)),
  json: (text) => mask.json(text),
};

parentPort?.on('message', ({ kind, texts }: MaskTask) => parentPort?.postMessage(texts.map(hidden[kind])));
