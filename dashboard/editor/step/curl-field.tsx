import type { MethodStep } from '../document';

/** Fills the request from a cURL command. */
export function CurlField(_props: { step: MethodStep }) {
  return null;
}
