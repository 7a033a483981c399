import { Arg, Field, ObjectType, Query, Resolver } from 'type-graphql';
import type { HttpMethod as HttpMethodName } from '../../../engine';
import { Needs } from '../../../platform/graphql/schema/needs';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import { HttpMethod } from '../document/step.types';
import { workflowPolicy } from '../workflow.policy';
import type { CurlBody as Body } from './curl-body';
import { MAX_COMMAND_LENGTH, readCurl } from './curl-command';
import type { CurlRequest as Request } from './curl-command';

@ObjectType({ description: 'A body in the shape of `RequestBodyInput`.' })
export class CurlBody implements Body {
  @Field(() => String, {
    description: '`json`, `xml`, `text`, `x-www-form-urlencoded` or `form-data`.',
  })
  readonly format!: string;

  @Field(() => String, { description: '`raw` or `form-data`.' })
  readonly data!: string;

  @Field(() => JSONValue, { description: 'The content.' })
  readonly fields!: unknown;
}

@ObjectType({ description: 'The request of a cURL command, for the request of a step.' })
export class CurlRequest implements Request {
  @Field(() => HttpMethod, { description: 'The HTTP method.' })
  readonly httpMethod!: HttpMethodName;

  @Field(() => String, { description: 'The `endpoint` of a step.' })
  readonly url!: string;

  @Field(() => JSONValue, { description: 'Header names and values.' })
  readonly header!: Record<string, string>;

  @Field(() => CurlBody, { nullable: true, description: 'The body; null if there is none.' })
  readonly body!: CurlBody | null;

  @Field(() => [String], {
    description: 'Options that are ignored, files that are not read, and secrets, for users.',
  })
  readonly warnings!: string[];
}

@Resolver()
export class CurlResolver {
  @Query(() => CurlRequest, {
    description: `Reads a cURL command as browsers and documentation write it, at most ${MAX_COMMAND_LENGTH} characters. Nothing is sent.`,
  })
  @Needs(workflowPolicy.read)
  requestFromCurl(
    @Arg('command', { description: 'The command, for bash or the Windows command line.' })
    command: string,
  ): Request {
    return readCurl(command);
  }
}
