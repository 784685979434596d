import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'

describe('the second entry of the client', () => {
  it('fills every part that has no chunk of its own', () => {
    const entry = readFileSync(`${ROOT}/web/src/app/after-first-screen.ts`, 'utf8')
    const declared = globSync('web/src/**/*.{ts,tsx}', { cwd: ROOT })
      .filter(file => !file.includes('.test.'))
      .flatMap(file => [
        ...readFileSync(`${ROOT}/${file}`, 'utf8').matchAll(
          /const (\w+) = part<typeof import\([^)]*\)>\(\)/g,
        ),
      ])
      .map(match => match[1])
    expect(declared.length).to.be.greaterThan(30)
    expect(declared.filter(name => !entry.includes(`${name}.fill(`))).to.deep.equal([])
  })
})
