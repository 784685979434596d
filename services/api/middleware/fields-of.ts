import * as v from 'valibot'

/** A field of a query or body, for the descriptions of the interface. */
export interface DescribedField {
  name: string
  /** Must be given. */
  isNeeded: boolean
  /** From the sentences of its errors: `at most 80 characters`. */
  rules: string[]
  schema: v.GenericSchema
}

/** The fields of a schema of an object; none for others. */
export function fieldsOf(schema: v.GenericSchema | undefined): DescribedField[] {
  const entries = Object.entries((schema as Parts | undefined)?.entries ?? {})
  return entries.map(([name, field]) => ({
    name,
    isNeeded: !v.safeParse(v.object({ [name]: field }), {}).success,
    rules: [...new Set(messagesOf(field))].flatMap(message => RULE.exec(message)?.[1] ?? []),
    schema: field,
  }))
}

/** Well-formed text without NUL is the rule everywhere. */
const RULE = /\$ (?:must be (?!valid text|text$)|has |takes )(.*)/

/** Parts of the schemas and checks of valibot. */
interface Parts {
  entries?: Record<string, v.GenericSchema & Parts>
  message?: unknown
  pipe?: readonly Parts[]
  wrapped?: Parts
}

const messagesOf = ({ message, pipe = [], wrapped }: Parts): string[] => [
  ...(typeof message === 'string' ? [message] : []),
  ...[...pipe.slice(1), ...(wrapped ? [wrapped] : []), ...pipe.slice(0, 1)].flatMap(messagesOf),
]
