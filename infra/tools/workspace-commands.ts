import { OPERATOR } from '#shared/audit/audit-log.ts'
import { AUDIT_PAGE, auditCursorOf, readAudit } from '../../services/api/administration/read-audit.ts'
import { statsReader } from '../../services/api/administration/stats.ts'
import { changeSettings, SETTINGS } from '../../services/api/administration/workspace/change-settings.ts'
import { listSettings } from '../../services/api/administration/workspace/list-settings.ts'
import { readFields } from '../../services/api/middleware/read-fields.ts'
import { type Command, fieldsOf, listed } from './command.ts'
import { ownerLink } from './owner-link.ts'
import { withStores } from './stores.ts'

const settings: Command = {
  usage: 'settings [--key NAME]',
  options: ['key'],
  run: ({ options: { key } }) =>
    withStores(async stores => {
      const items = listSettings(stores.settings).filter(item => key === undefined || item.key === key)
      if (items.length === 0) throw new Error(`There is no setting named ${key}.`)
      const rows = items.map(({ key, value, source }) => [key, JSON.stringify(value), source])
      return { ...listed(rows, null, ''), json: { items } }
    }),
}

const set: Command = {
  usage: 'set <setting> <value>',
  run: ({ words: [key = '', text = ''] }) =>
    withStores(async stores => {
      await changeSettings(stores, OPERATOR, readFields(SETTINGS, { [key]: valueIn(text) }))
      const { value, source } = listSettings(stores.settings).find(item => item.key === key)!
      const where =
        source === 'web' ? '' : ` again, from ${source === 'file' ? 'settings.json' : 'its default'}`
      return { text: `${key} is ${JSON.stringify(value)}${where}.`, json: { key, value, source } }
    }),
}

const audit: Command = {
  usage:
    'audit [--actor NAME] [--action ACTION] [--target NAME] [--from TIME] [--to TIME] [--limit N] [--cursor CURSOR]',
  options: ['actor', 'action', 'target', 'from', 'to', 'limit', 'cursor'],
  run: ({ options }) =>
    withStores(async stores => {
      const { limit, cursor, ...filter } = readFields(AUDIT_PAGE, fieldsOf(options))
      const { items, more } = await readAudit(stores.db, filter, cursor, limit)
      const next = more ? auditCursorOf(items.at(-1)!) : null
      const rows = items.map(({ ts, actor, action, target, channel, detail }) => [
        new Date(ts * 1_000).toISOString(),
        actor,
        action,
        target ?? channel,
        detail,
      ])
      return { ...listed(rows, next, 'There are no such entries.'), json: { items, next } }
    }),
}

const stats: Command = {
  usage: 'stats',
  run: () =>
    withStores(async stores => {
      const stats = await statsReader(stores)()
      const rows = Object.entries(stats).filter(([, value]) => typeof value === 'number')
      return { ...listed(rows, null, ''), json: { ...stats } }
    }),
}

export const workspaceCommands: Record<string, Command> = {
  settings,
  set,
  audit,
  stats,
  'owner-link': { usage: 'owner-link', run: ({ words }) => ownerLink(words) },
}

/** JSON (`true`, `30`, `null`), else the text itself. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
