import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy';
import { OutboundError } from './outbound-error';

/**
 * DNS lookup for sockets: resolves once, removes denied addresses, and the socket connects to the
 * rest. There is no second lookup between check and connection, which prevents DNS rebinding.
 */
export function pinnedLookup(
  policy: AddressPolicy,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      const allowed = addresses.filter(({ address }) => !policy.refusesAddress(address, hostname));
      if (allowed.length === 0) callback(refused(hostname), []);
      else if (options.all === true) callback(null, allowed);
      else callback(null, allowed[0].address, allowed[0].family);
    });
  };
}

export function refused(host: string): OutboundError {
  return new OutboundError(
    'OUTBOUND_ADDRESS_REFUSED',
    `The address policy refuses calls to ${host}.`,
  );
}
