import type { IncomingHttpHeaders } from 'node:http'
import { visibleText } from '#shared/domain/one-line.ts'
import { type SlackMessage, slackMessage, withCards } from '#shared/domain/slack-shape.ts'
import { InvalidPayload } from '#shared/domain/slack-values.ts'
import type { HookRow } from './queries.ts'
import type { JsonObject } from './read-body.ts'
import { Refusal } from './refusals.ts'
import { filledIn } from './template.ts'

export interface Given {
  headers: IncomingHttpHeaders
  body: JsonObject
  /** Of the address; undefined: the shape is found. */
  shape: string | undefined
}

type Reader = (given: Given, hook: HookRow, longest: number) => SlackMessage

const slack: Reader = ({ body }, hook, longest) =>
  slackMessage(body, { tellsEveryone: hook.may_mention_everyone, longest })
const template: Reader = ({ body }, hook, longest) => ({
  ...withCards(filledIn(hook.template ?? '', body).trim(), [], longest),
  dropped: 0,
})

const SHAPES: Record<string, Reader> = { slack, mattermost: slack, template }

export const isShape = (name: string): boolean => Object.hasOwn(SHAPES, name)

/** The message that a body becomes. Throws `invalid_payload`, and `no_text` for nothing to show. */
export function converted(given: Given, hook: HookRow, longest: number): SlackMessage {
  const made = read(given, hook, longest)
  if (visibleText(made.content) === '') throw new Refusal('no_text')
  return made
}

function read(given: Given, hook: HookRow, longest: number): SlackMessage {
  try {
    return readerOf(given, hook)(given, hook, longest)
  } catch (err) {
    if (err instanceof InvalidPayload) throw new Refusal('invalid_payload')
    throw err
  }
}

function readerOf({ shape, body }: Given, hook: HookRow): Reader {
  if (shape !== undefined) return SHAPES[shape]!
  return isSlackBody(body) || hook.template === null ? slack : template
}

const isSlackBody = (body: JsonObject): boolean =>
  ['text', 'blocks', 'attachments'].some(key => body[key] !== undefined && body[key] !== null)
