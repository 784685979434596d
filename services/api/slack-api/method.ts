import type { Request } from 'express'
import * as v from 'valibot'
import { type Fields, InvalidPayload, isFields, textIn } from '#shared/domain/slack-values.ts'
import type { Scope } from '#shared/domain/tokens.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import { jsonOrFormBody } from '../middleware/body-readers.ts'
import { type Counted, type Endpoint, endpoint, payload, type Services } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { SlackError } from '../middleware/slack-form.ts'

/** A call of a method. Arguments come in the query, in a form or as JSON. */
export interface SlackCall extends Services {
  req: Request
  viewer: Username
  args: Fields
  /** The token is not limited to other channels. */
  mayReach: (channel: ChannelId) => boolean
}

interface Method {
  who?: 'signed in' | 'admin'
  scope: Scope
  limit?: readonly Counted[]
  /** `nowhere`: refused to tokens that are limited to channels; all others ask `mayReach`. */
  within?: 'nowhere'
  /** Words of this method for sentences of the interface. */
  words?: Readonly<Record<string, string>>
  /** Keys of its response beside `ok`. */
  answer?: v.ObjectEntries
}

type SlackResult = Record<string, unknown>

const ARGS = v.record(v.string(), v.unknown())

const answerWith = (keys: v.ObjectEntries) =>
  v.variant('ok', [
    v.strictObject({ ok: v.literal(true), ...keys }),
    v.strictObject({ ok: v.literal(false), error: v.string(), needed: v.exactOptional(v.string()) }),
  ])

/** A method of Slack's Web API: GET and POST `/api/<name>`, by token only. */
export function method(
  name: string,
  { who = 'signed in', scope, limit = [], within, words = {}, answer: keys = {} }: Method,
  handle: (call: SlackCall) => Promise<SlackResult> | SlackResult,
): Endpoint[] {
  const entry = {
    summary: `${name === ':method' ? 'Refuses any other method' : `Runs ${name}`} of Slack's Web API.`,
    who,
    errors: 'slack',
    scope,
    limit,
    within: within ?? 'anywhere',
    query: ARGS,
    answers: { 200: payload(answerWith(keys)) },
  } as const
  const answer = async (call: Services & { req: Request; viewer: Username }, args: Fields) => {
    const { stores, config, req, viewer } = call
    const channels = tokenIn(req)?.channels
    const mayReach = (channel: ChannelId) => !channels || channels.includes(channel)
    try {
      return { ok: true as const, ...(await handle({ stores, config, req, viewer, args, mayReach })) }
    } catch (err) {
      if (err instanceof InvalidPayload) throw new SlackError('invalid_arguments')
      const word = err instanceof HttpError ? words[err.sentence] : undefined
      throw word === undefined ? err : new SlackError(word)
    }
  }
  return [
    endpoint(`GET /api/${name}`, entry, call => answer(call, call.query)),
    endpoint(`POST /api/${name}`, { ...entry, body: jsonOrFormBody(ARGS) }, call =>
      answer(call, { ...call.query, ...call.body }),
    ),
  ]
}

/** A text or number; undefined for an absent one. Refuses what no store takes. */
export function argument(args: Fields, name: string): string | undefined {
  const text = textIn(args, name)
  if (text !== undefined && (!text.isWellFormed() || text.includes('\0')))
    throw new SlackError('invalid_arguments')
  return text
}

export function flagIn(args: Fields, name: string): boolean {
  return /^(true|1)$/i.test(argument(args, name) ?? '')
}

export function limitIn(args: Fields, usual: number, most: number): number {
  const text = argument(args, 'limit')
  if (text === undefined) return usual
  if (!/^\d{1,9}$/.test(text) || Number(text) === 0) throw new SlackError('invalid_limit')
  return Math.min(Number(text), most)
}

/** The place in a list that a cursor of this method tells. */
export function cursorIn<Place>(args: Fields, place: v.GenericSchema<unknown, Place>): Place | undefined {
  const text = argument(args, 'cursor')
  if (text === undefined) return undefined
  const parsed = f.placeAt(text, place)
  if (!parsed.success) throw new SlackError('invalid_cursor')
  return parsed.output
}

/** A list of objects, which a form has as JSON. */
export function parsedIn(args: Fields, name: string): unknown {
  const value = Object.hasOwn(args, name) ? args[name] : undefined
  if (value === undefined || value === null || value === '') return undefined
  const parsed = typeof value === 'string' ? jsonOf(value) : value
  const isList = Array.isArray(parsed) && parsed.every(isFields)
  if (!isList || !isStorable(parsed)) throw new SlackError(`invalid_${name}`)
  return parsed
}

function isStorable(value: unknown): boolean {
  try {
    return !UNSTORABLE.test(JSON.stringify(value))
  } catch {
    // Nested deeper than the stack.
    return false
  }
}

/** NUL and halves of surrogate pairs, as JSON escapes them. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
