import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { LICENSES_FILE, thirdPartyLicenses } from './third-party-licenses.ts'

describe('THIRD-PARTY-LICENSES.md', () => {
  it('is what third-party-licenses.ts writes from the lockfile', () => {
    const written = readFileSync(LICENSES_FILE, 'utf8')
    expect(written === thirdPartyLicenses(), 'run: node infra/tools/third-party-licenses.ts').to.equal(true)
  })
})
