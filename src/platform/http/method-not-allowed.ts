import { DomainError } from '../errors/errors';

/** A known path, met with a method it does not have. `allow` goes into the header of that name. */
export class MethodNotAllowed extends DomainError {
  readonly kind = 'method-not-allowed';
  constructor(readonly allow: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `This path answers ${allow.join(', ')}.`);
  }
}
