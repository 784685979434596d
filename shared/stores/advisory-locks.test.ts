import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { ADVISORY_LOCKS } from './advisory-locks.ts'

/** The first argument of each call: a number, a parameter, or a hash of a text. */
const CALLS = /pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?\(\s*([^\s,)(]+)/g
const argumentsIn = (text: string) => [...text.matchAll(CALLS)].map(([, argument]) => argument!)

describe('the numbers of the advisory locks', () => {
  let backing: TestBacking
  before(async () => {
    backing = await testBacking()
  })
  after(() => backing.drop())

  it('are each used for one purpose', () => {
    const numbers = Object.values(ADVISORY_LOCKS)
    expect(new Set(numbers).size).to.equal(numbers.length)
  })

  it('are in one file: no other file of TypeScript has one of its own', () => {
    const files = globSync('{shared,services,infra}/**/*.ts', { cwd: ROOT }).filter(
      name => !name.includes('node_modules') && !/\.test\.ts$/.test(name),
    )
    const used = new Set<string>()
    for (const name of files) {
      const text = readFileSync(join(ROOT, name), 'utf8')
      for (const [, key] of text.matchAll(/ADVISORY_LOCKS\.(\w+)/g)) used.add(key!)
      if (name.endsWith('advisory-locks.ts')) continue
      expect(text, name).to.not.match(/\b26_?0_?7_?0_?4\d|2_607_041|260_704_2/)
      for (const argument of argumentsIn(text)) {
        expect(argument, name).to.match(/^(\$\d|hashtext|hashtextextended)$/)
        if (argument === '$1') expect(text, name).to.match(/ADVISORY_LOCKS|hashtext\(/)
      }
    }
    expect([...used, 'backup', 'backupRound']).to.include.members(
      Object.keys(ADVISORY_LOCKS).filter(key => key !== 'peopleRevision'),
    )
  })

  it('of SQL functions are there too, and no statement of TypeScript takes the same', async () => {
    const client = new pg.Client(backing.adminDatabaseUrl)
    await client.connect()
    const { rows } = await client
      .query<{ name: string; source: string }>(
        `select proname as name, prosrc as source
           from pg_proc
          where pronamespace = 'public'::regnamespace and prosrc ~ 'advisory'
          order by proname`,
      )
      .finally(() => client.end())
    const taken = rows.map(({ name, source }) => [name, ...argumentsIn(source)])
    expect(taken).to.deep.equal([['next_people_rev', String(ADVISORY_LOCKS.peopleRevision)]])
  })
})
