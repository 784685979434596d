import type * as v from 'valibot'
import { type DescribedField, fieldsOf } from '../middleware/fields-of.ts'

/** A schema of JSON Schema 2020-12, as OpenAPI 3.1 has them. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** The fields of a JSON body, or of a form. The types come from the schema, the limits from the sentences of its errors. */
export function bodySchema(schema: v.GenericSchema): JsonSchema {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return shapeOf(schema)
  const required = fields.filter(({ isNeeded }) => isNeeded).map(({ name }) => name)
  return {
    ...shapeOf(schema),
    properties: Object.fromEntries(fields.map(field => [field.name, bodyField(field)])),
    ...(required.length > 0 && { required }),
  }
}

function bodyField({ schema, rules }: DescribedField): JsonSchema {
  const shape = shapeOf(schema)
  return { ...narrowed(shape, limitsIn(rules)), ...described(rules) }
}

/** A parameter of a query, which is text: a number in it, a word of a list, or any text. */
export function parameterSchema({ schema, rules }: DescribedField): JsonSchema {
  const words = shapeOf(schema)['enum']
  if (words !== undefined) return { type: 'string', enum: words }
  const limits = limitsIn(rules)
  return limits['type'] === 'array' || limits['type'] === undefined ? { type: 'string' } : limits
}

const described = (rules: readonly string[]): JsonSchema =>
  rules.length === 0 ? {} : { description: `${rules.join(', ')}.` }

/** Parts of the schemas and checks of valibot. */
interface Schema {
  kind?: string
  type?: string
  pipe?: readonly Schema[]
  wrapped?: Schema
  item?: Schema
  options?: readonly unknown[]
  literal?: unknown
}

/** Types alone. `{}` takes anything: checks by functions are not seen. */
function shapeOf(schema: Schema): JsonSchema {
  const [first, ...steps] = schema.pipe ?? []
  if (first === undefined) return shapeOfKind(schema)
  // A schema behind a transformation is one of its result.
  const end = steps.findIndex(({ type }) => type === 'transform' || type === 'raw_transform')
  const narrower = (end < 0 ? steps : steps.slice(0, end)).filter(({ kind }) => kind === 'schema')
  return Object.assign({}, ...[first, ...narrower].map(shapeOf))
}

function shapeOfKind({ type, wrapped, item, options = [], literal }: Schema): JsonSchema {
  switch (type) {
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return { type }
    case 'object':
    case 'record':
      return { type: 'object' }
    case 'strict_object':
      return { type: 'object', additionalProperties: false }
    case 'array':
      return { type: 'array', items: item ? shapeOf(item) : {} }
    case 'picklist':
      return { type: 'string', enum: options }
    case 'literal':
      return { const: literal }
    case 'union':
      return { anyOf: options.map(option => shapeOf(option as Schema)) }
    case 'optional':
    case 'exact_optional':
      return wrapped ? shapeOf(wrapped) : {}
    case 'nullable':
    case 'nullish':
      return wrapped ? orNull(shapeOf(wrapped)) : {}
    default:
      return {}
  }
}

function orNull(shape: JsonSchema): JsonSchema {
  const { type, enum: words, anyOf } = shape as { type?: string; enum?: unknown[]; anyOf?: unknown[] }
  if (anyOf) return { anyOf: [...anyOf, { type: 'null' }] }
  if (type === undefined) return shape
  return { ...shape, type: [type, 'null'], ...(words && { enum: [...words, null] }) }
}

/** Rules of sentences as keywords; a rule that is not listed stays a description. */
const LIMITS: readonly [RegExp, (...parts: string[]) => JsonSchema][] = [
  [
    /^a whole number from (-?\d+) to (\d+)$/,
    (least, most) => ({ type: 'integer', minimum: Number(least), maximum: Number(most) }),
  ],
  [
    /^a number from (-?[\d.]+) to ([\d.]+)$/,
    (least, most) => ({ type: 'number', minimum: Number(least), maximum: Number(most) }),
  ],
  [
    /^(?:a number )?above 0(?:,| and) at most ([\d.]+)$/,
    most => ({ type: 'number', exclusiveMinimum: 0, maximum: Number(most) }),
  ],
  [/^a time in seconds$/, () => ({ type: 'number' })],
  [/^the id of an? \w+$/, () => ({ type: 'integer', minimum: 1 })],
  [/^at most (\d+) characters$/, most => ({ type: 'string', maxLength: Number(most) })],
  [/^a UUID$/, () => ({ type: 'string', format: 'uuid' })],
  [/^true or false$/, () => ({ type: 'boolean' })],
  [/^(?:a list of )?at most (\d+) (?!characters)/, most => ({ type: 'array', maxItems: Number(most) })],
  [
    /^(?:a list of )?(\d+) to (\d+) (?!characters|of )/,
    (least, most) => ({ type: 'array', minItems: Number(least), maxItems: Number(most) }),
  ],
]

const limitsIn = (rules: readonly string[]): JsonSchema =>
  Object.assign(
    {},
    ...rules.flatMap(rule =>
      LIMITS.flatMap(([form, limits]) => {
        const found = form.exec(rule)
        return found ? [limits(...found.slice(1))] : []
      }),
    ),
  )

/** The shape with limits of its type; of another type they are left to the description. */
function narrowed(shape: JsonSchema, limits: JsonSchema): JsonSchema {
  const { type } = shape
  if (limits['type'] === undefined) return shape
  if (type === undefined) return shape['anyOf'] || shape['const'] !== undefined ? shape : limits
  const types = [type].flat()
  const isSame = types.includes(limits['type'] === 'integer' ? 'number' : limits['type'])
  if (!isSame) return shape
  return { ...shape, ...limits, type: types.includes('null') ? [limits['type'], 'null'] : limits['type'] }
}
