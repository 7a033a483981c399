import { DomainError } from '../errors/errors';

/** A known path with a method it does not have. `allow` is sent in the `Allow` header. */
export class MethodNotAllowed extends DomainError {
  readonly kind = 'method-not-allowed';
  constructor(readonly allow: readonly string[]) {
    super('METHOD_NOT_ALLOWED', `This path answers ${allow.join(', ')}.`);
  }
}
