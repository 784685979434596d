import type { Operation, Parameter } from './openapi.ts'

const parameter = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
})

/** The stream of events, which the gateway serves (interface 6). */
export const EVENTS: Operation = {
  operationId: 'get_events',
  summary: 'Streams what changes, as Server-Sent Events.',
  description:
    'For everybody with an account. A stream ends after five to six minutes: connect again with the last cursor. A token has a ceiling of its own.',
  tags: ['read'],
  security: [{ token: ['read'] }, { session: [] }],
  parameters: [
    parameter('channel', 'The channel whose messages the stream has.'),
    parameter('after', 'The last cursor; also as the header Last-Event-ID.'),
    parameter('with', 'Names of further events, separated by commas.'),
    parameter('known', 'States that the client holds, event:hash, separated by commas.'),
  ],
  responses: {
    200: {
      description:
        'Frames. Their data is JSON: `EventPayloads` and `DeltaPayloads` have a schema for each event.',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    302: { $ref: '#/components/responses/signIn' },
    401: { $ref: '#/components/responses/text401' },
    403: { $ref: '#/components/responses/text403' },
    429: { $ref: '#/components/responses/text429' },
    503: { $ref: '#/components/responses/text503' },
  },
}
