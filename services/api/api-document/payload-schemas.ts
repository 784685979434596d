import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import * as account from '#shared/domain/payloads/account.ts'
import * as administration from '#shared/domain/payloads/administration.ts'
import * as calls from '#shared/domain/payloads/calls.ts'
import * as channels from '#shared/domain/payloads/channels.ts'
import * as client from '#shared/domain/payloads/client.ts'
import * as commands from '#shared/domain/payloads/commands.ts'
import * as files from '#shared/domain/payloads/files.ts'
import * as frames from '#shared/domain/payloads/frames.ts'
import * as hooks from '#shared/domain/payloads/hooks.ts'
import * as hooksOut from '#shared/domain/payloads/hooks-out.ts'
import * as inbox from '#shared/domain/payloads/inbox.ts'
import * as later from '#shared/domain/payloads/later.ts'
import * as messages from '#shared/domain/payloads/messages.ts'
import * as people from '#shared/domain/payloads/people.ts'
import * as previews from '#shared/domain/payloads/previews.ts'
import * as search from '#shared/domain/payloads/search.ts'
import * as sidebar from '#shared/domain/payloads/sidebar.ts'
import * as slack from '#shared/domain/payloads/slack.ts'
import * as threads from '#shared/domain/payloads/threads.ts'
import * as tokens from '#shared/domain/payloads/tokens.ts'
import * as values from '#shared/domain/payloads/values.ts'
import type { JsonSchema } from './json-schema.ts'

/** The files of shared/domain/payloads that have schemas. */
const FILES: readonly object[] = [
  account,
  administration,
  calls,
  channels,
  client,
  commands,
  files,
  frames,
  hooks,
  hooksOut,
  inbox,
  later,
  messages,
  people,
  previews,
  search,
  sidebar,
  slack,
  threads,
  tokens,
  values,
]

/** Schemas by the names of their types. */
const PAYLOADS: Record<string, v.GenericSchema> = Object.fromEntries(
  FILES.flatMap(file => Object.entries(file)).filter(
    ([name, value]) => /^[A-Z]/.test(name) && isSchema(value),
  ),
)

function isSchema(value: unknown): value is v.GenericSchema {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema'
}

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'output',
  ignoreActions: ['readonly'],
  // Additive changes keep `api`: a reader takes keys that it does not know.
  overrideSchema: ({ jsonSchema: { additionalProperties, ...others } }) =>
    additionalProperties === false ? others : undefined,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
}

/** The schemas of all payloads, for the components of the document. */
export const payloadSchemas = () => toJsonSchemaDefs(PAYLOADS, CONFIG)

/** The schema of a JSON response, which refers to `payloadSchemas`. */
export function responseSchema(schema: v.GenericSchema): JsonSchema {
  const { $schema, $defs, ...own } = toJsonSchema(schema, { ...CONFIG, definitions: PAYLOADS })
  return own
}
