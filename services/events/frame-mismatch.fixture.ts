import { DeltaPayloads, EventPayloads } from '#shared/domain/payloads/frames.ts'
import { issuesIn } from '#shared/test-kit/issues.ts'

const SCHEMAS = new Map(Object.entries({ ...EventPayloads.entries, ...DeltaPayloads.entries }))

/** UTF-16 units. Longer frames are not parsed: that takes the memory that other tests measure. */
const LONGEST = 256 * 1024

/** Says how a frame differs from the schema of its event; undefined if it does not. */
export function frameMismatch(text: string): string | undefined {
  const [, event, data] = /^(?:id: [^\n]*\n)?event: ([^\n]*)\ndata: ([^\n]*)\n\n$/.exec(text) ?? []
  if (event === undefined || data === undefined || data.length > LONGEST) return undefined
  const schema = SCHEMAS.get(event)
  if (!schema) return `${event} has no schema`
  const issues = issuesIn(schema, JSON.parse(data))
  return issues && `${event}: ${issues}`
}
