import type { TriedHookPayload } from '#shared/domain/payloads/hooks.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { converted } from './convert.ts'
import type { HookRow } from './queries.ts'
import { objectIn } from './read-body.ts'
import { type RefusalCode, refusalFor } from './refusals.ts'

/** The message that a body would become. Nothing is stored, and no signature is asked for. */
export function tryHook(
  { settings }: Stores,
  hook: HookRow,
  { headers: given, body }: { headers: Record<string, string>; body: string },
): TriedHookPayload {
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), value]),
  )
  try {
    const object = objectIn(Buffer.from(body), headers['content-type'])
    const given = { headers, body: object, shape: undefined }
    const made = converted(given, hook, settings.current.max_message_chars)
    if ('ignored' in made) return { content: '', cards: [], dropped: 0 }
    return { content: made.content, cards: made.cards, cards_at: made.cardsAt, dropped: made.dropped }
  } catch (err) {
    const { code } = refusalFor(err)
    throw errors.coded(400, code, SENTENCES[code] ?? 'This body cannot be posted.')
  }
}

const SENTENCES: Partial<Record<RefusalCode, string>> = {
  invalid_payload: 'The body is no JSON object, or a field has another type than text.',
  no_text: 'The body has nothing to show.',
}
