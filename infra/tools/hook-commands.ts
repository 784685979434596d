import type { OutgoingHookPayload } from '#shared/domain/payloads/hooks-out.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Fitting } from '#shared/stores/first-that-fit.ts'
import { type HookRow, readHooks } from '../../services/api/hooks/queries.ts'
import { readHooks as readOutgoing } from '../../services/api/hooks-out/queries.ts'
import { type Command, listed } from './command.ts'
import { withStores } from './stores.ts'

/** All of them: there are at most 500 and 200. */
const hooks: Command = {
  usage: 'hooks',
  run: () =>
    withStores(async stores => {
      const items = await allOf(before => readHooks(stores.db, 'all', before))
      const outgoing = await allOf(before => readOutgoing(stores.db, undefined, before))
      const rows = [...items.map(incomingRow), ...outgoing.map(outgoingRow)]
      return { ...listed(rows, null, 'There are no hooks.'), json: { items, outgoing } }
    }),
}

export const hookCommands: Record<string, Command> = { hooks }

async function allOf<T extends { id: number }>(
  page: (before: number | undefined) => Promise<Fitting<T>>,
): Promise<T[]> {
  const all: T[] = []
  for (let isMore = true; isMore; ) {
    const { items, more } = await page(all.at(-1)?.id)
    all.push(...items)
    isMore = more
  }
  return all
}

const incomingRow = (hook: HookRow) => [
  'in',
  hook.id,
  hook.name,
  hook.channel,
  hook.bot,
  ofMaker(hook),
  hook.last_used_ts === null ? 'never used' : `used ${dayOf(hook.last_used_ts)}`,
  hook.disabled ? 'disabled' : (hook.last_error ?? 'in use'),
]

/** The host alone: the rest of an address may be a secret. */
const outgoingRow = (hook: OutgoingHookPayload) => [
  'out',
  hook.id,
  hook.name,
  new URL(hook.url).host,
  hook.bot,
  ofMaker(hook),
  hook.events.join(),
  hook.active
    ? hook.failing_since === null
      ? 'in use'
      : `failing since ${dayOf(hook.failing_since)}`
    : `disabled${hook.disabled_why === null ? '' : ` (${hook.disabled_why})`}`,
]

const ofMaker = ({ created_by }: { created_by?: Username | null }) =>
  created_by === null ? 'of nobody' : `of ${created_by}`

const dayOf = (ts: number) => new Date(ts * 1_000).toISOString().slice(0, 10)
