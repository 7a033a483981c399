import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { AddressPolicy } from './address-policy';
import { OutboundError } from './outbound-error';

/**
 * The lookup that sockets use: it resolves a name once, drops what the policy refuses, and the socket connects to what is left. There
 * is no second look at the name between check and connection, so a name cannot change its mind in between.
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
