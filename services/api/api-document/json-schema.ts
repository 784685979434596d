import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
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

/** Types alone. `{}` takes anything: checks by functions are not seen. */
function shapeOf(schema: v.GenericSchema): JsonSchema {
  const { $schema, ...shape } = toJsonSchema(schema, CONFIG)
  return shape
}

const CONFIG: ConversionConfig = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  // Patterns hold for trimmed text.
  ignoreActions: ['regex'],
  // Fields of an object are described each by itself.
  overrideSchema: ({ jsonSchema: { properties, required, propertyNames, default: usual, ...shape } }) =>
    withoutNullOption(shape as Shape) as object,
}

/** `type: [type, 'null']` of a nullable schema. */
function withoutNullOption(shape: Shape): Shape {
  const [first, second, ...more] = shape.anyOf ?? []
  return first && second?.type === 'null' && more.length === 0 ? orNull(first) : shape
}

interface Shape {
  type?: string | string[]
  enum?: unknown[]
  anyOf?: Shape[]
}

function orNull(shape: Shape): Shape {
  const { type, enum: words, anyOf } = shape
  if (anyOf) return { anyOf: [...anyOf, { type: 'null' }] }
  if (type === undefined || type.includes('null')) return shape
  return { ...shape, type: [type, 'null'].flat(), ...(words && { enum: [...words, null] }) }
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
  [
    /^(?:a list of )?at most (\d+) (?!characters)/,
    most => ({ type: 'array', items: {}, maxItems: Number(most) }),
  ],
  [
    /^(?:a list of )?(\d+) to (\d+) (?!characters|of )/,
    (least, most) => ({ type: 'array', items: {}, minItems: Number(least), maxItems: Number(most) }),
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
  return { ...limits, ...shape, type: types.includes('null') ? [limits['type'], 'null'] : limits['type'] }
}
