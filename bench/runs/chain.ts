import type { Agent } from 'undici';
import type { MethodDoc } from '../../src/engine';

const color = (step: number): string => `#${step.toString(16).padStart(6, '0').toUpperCase()}`;

/** Steps of which each reads the answer of the one before it, in its URL and in its body. */
export function chain(origin: string, steps: number): MethodDoc[] {
  return Array.from({ length: steps }, (_, step) => {
    const last = step === 0 ? '0' : `{%${color(step - 1)}.(response).body.id%}`;
    return {
      id: `step-${step}`,
      index: String(step),
      color: color(step),
      methodType: 'HTTP_REQUEST',
      request: {
        endpoint: `${origin}/step/${step}?last=${last}`,
        method: 'POST',
        header: {},
        body: { type: 'object', format: 'json', fields: { step, last } },
      },
    };
  });
}

/** The same requests, made by a bare client. */
export async function bareChain(agent: Agent, origin: string, steps: number): Promise<void> {
  let last = 0;
  for (let step = 0; step < steps; step += 1) {
    const { body } = await agent.request({
      origin,
      path: `/step/${step}?last=${last}`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ step, last }),
    });
    last = ((await body.json()) as { id: number }).id;
  }
}
