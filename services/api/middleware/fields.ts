import { Buffer } from 'node:buffer'
import * as v from 'valibot'
import { shownName } from '#shared/domain/channel-name.ts'
import { isTimeZone } from '#shared/domain/search-dates.ts'
import { idFrom, type Seconds, uuidFrom } from '#shared/domain/units.ts'

/*
 * Fields of bodies and queries. The message of a check is the sentence of the 400, in which `$` is the name of the
 * field; extensions (interface 10) put the code before it: `invalid: $ must be a UUID` (read-fields.ts).
 */

export const REQUIRED = 'required: $ required'
export const tooLong = (most: number) => `too_long: $ has at most ${most} characters`
export const invalid = (rule: string) => `invalid: $ must be ${rule}`

/** Fields by name; others are ignored. A missing one that must be given is `required`. */
export const fields = <const Entries extends v.ObjectEntries>(entries: Entries) => v.object(entries, REQUIRED)

/** PostgreSQL stores neither NUL nor half of a surrogate pair. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')

/** Characters beyond the first plane count once. */
export const isWithin = (text: string, most: number) => text.length <= most || [...text].length <= most

/** Any value: its reader takes what it does not know as missing. */
export const anything = v.exactOptional(v.unknown())

/** A field that may be missing, and null. */
export const mayBeNull = <Field extends v.GenericSchema>(field: Field) => v.exactOptional(v.nullable(field))

const NO_TEXT = invalid('valid text')

/** Text as sent. */
export const exactText = v.pipe(v.string(REQUIRED), v.check(isStorable, NO_TEXT))

/** Trimmed text; null if emptied. */
export const text = (most = Number.POSITIVE_INFINITY) =>
  mayBeNull(
    v.pipe(
      exactText,
      v.trim(),
      v.check(text => isWithin(text, most), most === Number.POSITIVE_INFINITY ? NO_TEXT : tooLong(most)),
      v.transform(text => (text === '' ? null : text)),
    ),
  )

/** A single line of visible characters; null if emptied. */
export const line = (most: number) =>
  mayBeNull(
    v.pipe(
      exactText,
      v.transform(text => shownName(text, most)),
      v.check(line => 'name' in line || line.problem !== 'too_long', tooLong(most)),
      v.transform(line => ('name' in line ? line.name : null)),
    ),
  )

/** The same, but it must be given and not be empty. */
export const needed = (field: v.GenericSchema<unknown, string | null | undefined>) =>
  v.pipe(v.unknown(), field, v.string(REQUIRED))

/** A number of JSON that must be given. */
export const number = v.number(REQUIRED)

/** An integer of JSON from `least` to `most`. */
export const wholeNumber = (
  least: number,
  most: number,
  message = invalid(`a whole number from ${least} to ${most}`),
) =>
  v.pipe(
    number,
    v.check(value => Number.isSafeInteger(value) && value >= least && value <= most, message),
  )

/** A field whose only sentence is `message`, also where it is missing. */
export const given = <T>(isValid: (value: unknown) => boolean, message: string) =>
  v.pipe(v.optional(v.unknown(), null), v.custom<T>(isValid, message))

/** A row id of JSON; `thing` names it in the sentence. */
export const id = (thing: string) =>
  mayBeNull(wholeNumber(1, Number.MAX_SAFE_INTEGER, invalid(`the id of ${thing}`)))

export const flag = v.exactOptional(v.boolean(REQUIRED))

/** A word of `words` in a body. */
export const choice = <const Words extends readonly string[]>(words: Words) =>
  v.exactOptional(v.pipe(v.string(REQUIRED), v.picklist(words, invalid(words.join(' or ')))))

/** A list of JSON of at most `most` items; `rule` says in the sentence which. */
export const list = <Item extends string | number>(
  isItem: (value: unknown) => value is Item,
  rule: string,
  { least = 0, most }: { least?: number; most: number },
) =>
  v.pipe(
    v.array(v.unknown(), REQUIRED),
    v.metadata({ items: { type: isItem === isInteger ? 'integer' : 'string' } }),
    v.check(items => items.length >= least && items.length <= most && items.every(isItem), invalid(rule)),
    v.transform(items => items as Item[]),
  )

export const isText = (value: unknown) => typeof value === 'string'
export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

const NO_UUID = invalid('a UUID')

/** The id by which a client repeats a request (interface 10); undefined without one. */
export const clientId = v.pipe(
  mayBeNull(
    v.pipe(
      v.string(NO_UUID),
      v.transform(text => uuidFrom(text)),
      v.string(NO_UUID),
    ),
  ),
  v.transform(id => id ?? undefined),
)

const LARGEST_PAGE = 200
const NO_LIMIT = invalid(`a number from 1 to ${LARGEST_PAGE}`)

/** `limit` of a list: 1 to 200 (interface 10). */
export const limit = (usual = 50) =>
  v.optional(
    v.pipe(
      v.string(NO_LIMIT),
      v.transform(text => idFrom(text)),
      v.number(NO_LIMIT),
      v.maxValue(LARGEST_PAGE, NO_LIMIT),
    ),
    String(usual),
  )

const NO_CURSOR = invalid('that of a page')

/** The place after the last item of the previous page, as `cursorText` wrote it; undefined for the first page. */
export const cursor = <Place>(place: v.GenericSchema<unknown, Place>) =>
  v.exactOptional(
    v.pipe(
      v.string(NO_CURSOR),
      v.rawTransform<string, Place>(({ dataset, addIssue, NEVER }) => {
        const parsed = placeAt(dataset.value, place)
        if (parsed.success) return parsed.output
        addIssue({ message: NO_CURSOR })
        return NEVER
      }),
    ),
  )

/** The place that a cursor tells. */
export const placeAt = <Place>(cursor: string, place: v.GenericSchema<unknown, Place>) =>
  v.safeParse(v.pipe(v.custom<unknown>(isStorableDeep), place), placeIn(cursor))

const isStorableDeep = (value: unknown): boolean =>
  Array.isArray(value) ? value.every(isStorableDeep) : typeof value !== 'string' || isStorable(value)

function placeIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch (err) {
    if (err instanceof SyntaxError) return undefined
    throw err
  }
}

/** The same as `<seconds>_<id>`. */
export const timeAndId = v.exactOptional(
  v.pipe(
    v.string(NO_CURSOR),
    v.transform(text => {
      const [, ts, digits] = /^(\d{1,12}(?:\.\d{1,9})?)_(\d{1,16})$/.exec(text) ?? []
      return { ts: Number(ts), id: idFrom(digits) }
    }),
    v.custom<{ ts: Seconds; id: number }>(place => (place as { id?: number }).id !== undefined, NO_CURSOR),
  ),
)

/** A row id in a query; `rule` says in the sentence which. */
export const idText = (rule: string) =>
  v.exactOptional(
    v.pipe(
      v.unknown(),
      v.transform(text => idFrom(text)),
      v.number(invalid(rule)),
    ),
  )

/** A word of `words` in a query. */
export const word = <const Words extends readonly string[]>(words: Words, or = ' or ') =>
  v.exactOptional(v.picklist(words, invalid(words.join(or))))

const NO_ZONE = invalid('the name of a time zone')

/** `tz` of a query. */
export const timeZone = v.exactOptional(v.pipe(v.string(NO_ZONE), v.check(isTimeZone, NO_ZONE)))

/** `0` or `1` in a query. */
export const bit = v.pipe(
  word(['0', '1']),
  v.transform(bit => bit === '1'),
)

/** `1` in a query; anything else counts as missing. */
export const isOne = v.pipe(
  anything,
  v.transform(value => value === '1'),
)

const LONGEST_WORDS = 200

/** Words in a query; undefined if empty. */
export const words = v.exactOptional(
  v.pipe(
    v.string(invalid('text')),
    v.check(text => !text.includes('\0'), invalid('text')),
    v.check(text => text.length <= LONGEST_WORDS, tooLong(LONGEST_WORDS)),
    v.transform(text => (text === '' ? undefined : text.toWellFormed())),
  ),
)

/** Text of the base interface; empty if missing or of another type. */
export const formText = v.pipe(
  v.optional(v.unknown(), ''),
  v.transform(value => (typeof value === 'string' ? value.toWellFormed() : '')),
)

/** Text of the base interface, in which another type counts as missing. */
export const lenientText = v.pipe(
  anything,
  v.transform(value => (typeof value === 'string' ? value.toWellFormed() : undefined)),
  v.check(value => !value?.includes('\0'), 'text must not contain NUL'),
)

/** Seconds in a query of the base interface; undefined if it cannot be parsed (interface 4.3, search). */
export const lenientTime = v.pipe(
  anything,
  v.transform((value): Seconds | undefined => {
    if (typeof value !== 'string' || value.trim() === '') return undefined
    const seconds = Number(value)
    return Number.isFinite(seconds) ? seconds : undefined
  }),
)

/** A flag of the base interface, in which another type counts as missing. */
export const lenientFlag = v.fallback(v.optional(v.boolean()), undefined)

const LONGEST_ADDRESS = 2_048

/** An address to which the server sends, as `URL` writes it: http or https, at most 2,048 characters, without user. */
export const webAddress = v.pipe(
  v.string(REQUIRED),
  v.check(
    isWebAddress,
    invalid(`an http or https address of at most ${LONGEST_ADDRESS} characters, without user`),
  ),
  v.transform(text => new URL(text).href),
)

function isWebAddress(text: string): boolean {
  if (text.length > LONGEST_ADDRESS || !URL.canParse(text)) return false
  const { protocol, username, password, hostname, href } = new URL(text)
  const isOfTheWeb = protocol === 'http:' || protocol === 'https:'
  return isOfTheWeb && hostname !== '' && username === '' && password === '' && href.length <= LONGEST_ADDRESS
}
