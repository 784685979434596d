import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import type { PreparedStatement } from '#shared/stores/postgres.ts'
import { SEND } from './send-statements.ts'

const FOLDER = join(import.meta.dirname, 'snapshots')

/** The texts as PostgreSQL gets them, by file name. Write them after a change: `UPDATE_SNAPSHOTS=1 npx mocha <this file>`. */
const TEXTS = new Map(
  Object.entries(SEND).flatMap(([kind, statements]) =>
    (typeof statements === 'string' ? [['', statements] as const] : Object.entries(statements)).map(
      ([writer, statement]: readonly [string, string | PreparedStatement]) => [
        `send-${kind}${writer && `-${writer}`}.sql`,
        `${(typeof statement === 'string' ? statement : statement.text).trim()}\n`,
      ],
    ),
  ),
)

describe('the statements of sends', () => {
  before(() => {
    if (process.env['UPDATE_SNAPSHOTS'] !== '1') return
    for (const [name, text] of TEXTS) writeFileSync(join(FOLDER, name), text)
  })

  for (const [name, text] of TEXTS)
    it(`have the text of ${name}`, () => {
      const file = join(FOLDER, name)
      expect(existsSync(file), 'a snapshot').to.equal(true)
      expect(text).to.equal(readFileSync(file, 'utf8'))
    })

  it('are all in the snapshots, and nothing else', () => {
    expect(readdirSync(FOLDER).sort()).to.deep.equal([...TEXTS.keys()].sort())
  })
})
