import { readHooks } from '../../services/api/hooks/queries.ts'
import { type Command, listed } from './command.ts'
import { withStores } from './stores.ts'

/** All of them: there are at most 500. */
const hooks: Command = {
  usage: 'hooks',
  run: () =>
    withStores(async stores => {
      const items = await readHooks(stores.db, 'all')
      const rows = items.map(hook => [
        hook.id,
        hook.name,
        hook.channel,
        hook.bot,
        hook.created_by === null ? 'of nobody' : `of ${hook.created_by}`,
        hook.last_used_ts === null ? 'never used' : `used ${dayOf(hook.last_used_ts)}`,
        hook.disabled ? 'disabled' : (hook.last_error ?? 'in use'),
      ])
      return { ...listed(rows, null, 'There are no hooks.'), json: { items } }
    }),
}

export const hookCommands: Record<string, Command> = { hooks }

const dayOf = (ts: number) => new Date(ts * 1_000).toISOString().slice(0, 10)
