import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'

/** The first migration that states it. */
const FIRST = '0120'

describe('each migration', () => {
  it('states the oldest release that runs on its schema (docs/adr/0015)', () => {
    const folder = join(ROOT, 'shared/stores/migrations')
    const files = readdirSync(folder).filter(name => name.endsWith('.sql') && name >= FIRST)
    expect(files).to.not.deep.equal([])
    for (const name of files)
      expect(
        readFileSync(join(folder, name), 'utf8'),
        `${name} lacks the line "-- works from 0.1.0", for a change that only adds; name a later release if older ones cannot run on it`,
      ).to.match(/^-- works from \d+\.\d+\.\d+$/m)
  })
})
