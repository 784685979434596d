import { currentNames } from '#shared/access/person.ts'
import type { CreatedChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { runStatement } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { insertPrivateChannel, type NewChannel } from './queries.ts'

/** The founding members see the whole history (interface 2.2, 4.7). */
export async function createPrivateChannel(
  stores: Stores,
  creator: Username,
  name: string,
  given: string[],
): Promise<CreatedChannelPayload> {
  const names = await currentNames(stores.db, given)
  const keys = new Set([creator, ...names.filter(isUsername)].map(keyOf))
  const { id, members } = await runStatement(
    stores,
    'createChannel',
    ({ id }: NewChannel) => ({ channel: `private:${id}` }),
    async db => {
      const made = await insertPrivateChannel(db, creator, name, [...keys])
      if (!made) throw errors.forbidden()
      return made
    },
  )
  const existing = new Set(members.map(keyOf))
  const skipped = [...new Set(given.filter((_, i) => !existing.has(keyOf(names[i]!))))]
  return { id, channel: `private:${id}`, name, ...(skipped.length > 0 ? { skipped } : {}) }
}

const keyOf = (name: string) => name.toLowerCase()
