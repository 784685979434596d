import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { BASELINE } from '#shared/stores/baseline.ts'
import { isOlderRelease } from '#shared/stores/releases.ts'

/** The release of the baseline. */
const FIRST = '0.2.0'

describe('the migrations', () => {
  const folder = join(ROOT, 'shared/stores/migrations')
  const files = readdirSync(folder).sort()

  it('are the baseline and what follows, each with a number of its own', () => {
    expect(files[0]).to.equal(BASELINE)
    for (const name of files) expect(name).to.match(/^\d{4}_[a-z_]+\.sql$/)
    const numbers = files.map(name => name.slice(0, 4))
    expect(numbers).to.deep.equal([...new Set(numbers)])
  })

  it('state the oldest release that runs on their schema (docs/adr/0015)', () => {
    for (const name of files) {
      const [, release] =
        /^-- works from (\d+\.\d+\.\d+)$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? []
      expect(
        release,
        `${name} lacks the line "-- works from ${FIRST}", for a change that only adds; name a later release if older ones cannot run on it`,
      ).to.be.a('string')
      expect(isOlderRelease(release!, FIRST), `${name}: ${release} is older than the baseline`).to.equal(
        false,
      )
    }
  })
})
