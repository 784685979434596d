import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { en } from './en/index.ts'

describe('the catalogue of strings', () => {
  it('has each section in one area', async () => {
    const files = readdirSync(new URL('en/', import.meta.url)).filter(
      file => file !== 'index.ts' && file !== 'formats.ts',
    )
    const areas = await Promise.all(files.map(file => import(`./en/${file}`)))
    const sections = areas.flatMap(area =>
      Object.values(area).flatMap(strings => Object.keys(strings as object)),
    )
    expect(sections).to.have.members(Object.keys(en))
  })
})
