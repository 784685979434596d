import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { isOlderRelease } from '#shared/stores/releases.ts'

const LONGEST = 120

describe('CHANGELOG.md', () => {
  const lines = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split('\n')
  const sections = lines.filter(line => line.startsWith('## ')).map(line => line.slice(3))

  it('has what is unreleased, then the releases, newest first', () => {
    const [first, ...releases] = sections
    expect(first).to.equal('Unreleased')
    expect(releases[0], 'the version of package.json').to.equal(VERSION)
    for (const [i, release] of releases.entries()) {
      expect(release).to.match(/^\d+\.\d+\.\d+$/)
      if (i > 0) expect(isOlderRelease(release, releases[i - 1]!), release).to.equal(true)
    }
  })

  it('has entries of one line, at most 120 characters and a full stop', () => {
    for (const line of lines.slice(lines.indexOf('## Unreleased'))) {
      expect(line.length, line).to.be.at.most(LONGEST)
      expect(line, 'neither heading, entry nor paragraph').to.match(/^(?:$|##+ \S|- .+\.$|[A-Z].+\.$)/)
    }
  })
})
