import { expect } from 'chai'
import pg from 'pg'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { NAMES, OF_CHANNELS } from './rename-accounts.ts'

describe('the tables of a renaming (decisions, Renaming)', () => {
  let backing: TestBacking
  let db: pg.Client
  before(async () => {
    backing = await testBacking()
    db = new pg.Client(backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await backing.drop()
  })

  /** Text columns of these names, as `table.column`, without those that a foreign key to `users` keeps. */
  async function columnsNamed(names: readonly string[]): Promise<string[]> {
    const { rows } = await db.query<{ column: string }>(
      `select c.table_name || '.' || c.column_name as column
         from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
          and c.column_name = any($1)
          and not exists (
                select from pg_constraint key
                  join pg_attribute attribute
                    on attribute.attrelid = key.conrelid and attribute.attnum = any(key.conkey)
                 where key.contype = 'f'
                   and key.confrelid = 'users'::regclass
                   and key.confupdtype = 'c'
                   and key.conrelid = (quote_ident(c.table_name))::regclass
                   and attribute.attname = c.column_name)
        order by 1`,
      [names],
    )
    return rows.map(row => row.column)
  }

  it('are all that have ids of channels, but for the audit log', async () => {
    const found = await columnsNamed(['channel'])
    expect(found).to.have.members(['audit_log.channel', ...OF_CHANNELS.map(table => `${table}.channel`)])
  })

  it('are all that have names, which no foreign key keeps', async () => {
    const renamed = NAMES.map(([table, column]) => `${table}.${column}`)
    const elsewhere = [
      'account_deletions.username',
      'message_mentions.username',
      'messages.sender',
      'signals.recipient',
      'signals.sender',
      'users.username',
    ]
    const names = ['username', 'sender', 'recipient', 'sharer', 'initiator', 'screenshare_user']
    const found = await columnsNamed([...names, 'created_by', 'changed_by', 'archived_by', 'invited_by'])
    expect(found).to.have.members([...elsewhere, ...renamed])
  })
})
