import type { IncomingHttpHeaders } from 'node:http'
import { hookShapes, shapeOf } from '#shared/domain/hook-shapes/index.ts'
import type { HookShape, Incident } from '#shared/domain/hook-shapes/shape.ts'
import { filledIn } from '#shared/domain/hook-template.ts'
import { visibleText } from '#shared/domain/one-line.ts'
import { type SlackMessage, slackMessage, withCards } from '#shared/domain/slack-shape.ts'
import type { Fields } from '#shared/domain/slack-values.ts'
import type { HookRow } from './queries.ts'
import { Refusal } from './refusals.ts'

export interface Given {
  headers: IncomingHttpHeaders
  body: Fields
  /** As the address names it; undefined: the shape is found. */
  shape: string | undefined
}

export interface HookPost extends SlackMessage {
  incident?: Incident | undefined
}

/** `ignored`: an event that the shape leaves out. */
export type Converted = HookPost | { ignored: string }

type Reader = (given: Given, hook: HookRow, longest: number) => Converted

const slack: Reader = ({ body }, hook, longest) =>
  slackMessage(body, { tellsEveryone: hook.may_mention_everyone, longest })
const template: Reader = ({ body }, hook, longest) => ({
  // A character more than a message has, so that the cut is shown.
  ...withCards(filledIn(hook.template ?? '', body, longest + 1).trim(), [], longest),
  dropped: 0,
})
const readerOf =
  (shape: HookShape): Reader =>
  ({ headers, body }, _hook, longest) => {
    const made = shape.convert({ headers, body })
    if ('ignored' in made) return made
    return { ...withCards(made.text, made.cards, longest), dropped: 0, incident: made.incident }
  }

const OWN: Record<string, Reader> = { slack, mattermost: slack, template }

export const isShape = (name: string): boolean => Object.hasOwn(OWN, name) || hookShapes.has(name)

/** The message that a body becomes. Throws `InvalidPayload`, and `no_text` for nothing to show. */
export function converted(given: Given, hook: HookRow, longest: number): Converted {
  const made = readerFor(given, hook)(given, hook, longest)
  if (!('ignored' in made) && visibleText(made.content) === '') throw new Refusal('no_text')
  return made
}

/**
 * The name of the shape of a body: Slack's form comes first, then the others in their order, then the template. Null: none, so
 * that it is read as Slack's.
 */
export function shapeFor({ shape: name, headers, body }: Given, hook: HookRow): string | null {
  if (name !== undefined) return name
  if (isSlackBody(body)) return 'slack'
  return shapeOf({ headers, body })?.name ?? (hook.template === null ? null : 'template')
}

function readerFor(given: Given, hook: HookRow): Reader {
  const name = shapeFor(given, hook) ?? 'slack'
  const shape = hookShapes.get(name)
  return shape ? readerOf(shape) : OWN[name]!
}

const isSlackBody = (body: Fields): boolean =>
  ['text', 'blocks', 'attachments'].some(key => body[key] !== undefined && body[key] !== null)
