/** JSON Schema of arguments and results. */
export interface JsonSchema {
  [key: string]: unknown
  type: 'object'
  properties: Record<string, object>
  required: string[]
}

type Property = Record<string, unknown>

/** An object with these keys; those of `optional` may be absent. */
export function object(
  needed: Record<string, Property>,
  optional: Record<string, Property> = {},
): JsonSchema {
  return {
    type: 'object',
    properties: { ...needed, ...optional },
    required: Object.keys(needed),
    additionalProperties: false,
  }
}

const about = (description: string | undefined) => (description === undefined ? {} : { description })

export const text = (description?: string): Property => ({ type: 'string', ...about(description) })
export const whole = (description?: string): Property => ({ type: 'integer', ...about(description) })
export const number = (description?: string): Property => ({ type: 'number', ...about(description) })
export const flag = (description?: string): Property => ({ type: 'boolean', ...about(description) })
export const list = (items: object, description?: string): Property => ({
  type: 'array',
  items,
  ...about(description),
})
export const orNull = ({ type, ...rest }: Property): Property => ({ type: [type, 'null'], ...rest })

export const MORE = flag('There is more than fits into a result of 32 KiB.')
