import type { JsonSchema } from './json-schema.ts'

/** A schema of a response as TypeScript writes its type: `{ items: BotPayload[]; next: string | null }`. */
export function typeText(schema: JsonSchema): string {
  const { $ref, const: value, enum: values, anyOf, oneOf, prefixItems } = schema as Parts
  if ('not' in schema) return 'never'
  if ($ref !== undefined) return $ref.split('/').at(-1)!
  if (value !== undefined) return JSON.stringify(value)
  if (values) return values.map(one => JSON.stringify(one)).join(' | ')
  const options = anyOf ?? oneOf
  if (options) return options.map(typeText).join(' | ')
  if (prefixItems) return `[${prefixItems.map(typeText).join(', ')}]`
  return textOfKind(schema as Parts)
}

interface Parts {
  $ref?: string
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly JsonSchema[]
  oneOf?: readonly JsonSchema[]
  prefixItems?: readonly JsonSchema[]
  type?: string
  items?: JsonSchema
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: JsonSchema
}

function textOfKind({
  type = 'unknown',
  items,
  properties,
  required = [],
  additionalProperties,
}: Parts): string {
  if (items) {
    const item = typeText(items)
    return /^\w+$/.test(item) ? `${item}[]` : `Array<${item}>`
  }
  if (properties) {
    const fields = Object.entries(properties).map(
      ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(field)}`,
    )
    return `{ ${fields.join('; ')} }`
  }
  if (additionalProperties) {
    const value = typeText(additionalProperties)
    return value === 'never' ? '{}' : `Record<string, ${value}>`
  }
  return type
}
