import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const WEB = join(import.meta.dirname, '../..')

describe('rules about siblings', () => {
  it('name what follows: for "+ *" browsers style all siblings and their contents again at each insertion', () => {
    const found = globSync('src/**/*.css', { cwd: WEB }).flatMap(path => {
      const css = readFileSync(join(WEB, path), 'utf8').replaceAll(/\/\*.*?\*\//gs, '')
      return [...css.matchAll(/([^{};]*[+~]\s*\*[^{};]*)\{/g)].map(
        ([, selector]) => `${path}: ${selector!.trim()}`,
      )
    })
    expect(found).to.deep.equal([])
  })
})
