import { expect } from 'chai'
import { filledIn as filledWithin } from './hook-template.ts'
import { mentionTokens } from './mentions.ts'
import { blocksOf } from './text-blocks.ts'

const filledIn = (template: string, body: unknown) => filledWithin(template, body, 1_000)

describe('a template of a hook', () => {
  it('has the values of a body by their path, empty for missing ones', () => {
    const body = { host: { name: 'db-1' }, disks: [{ free: 0 }], ok: false, none: null }
    expect(filledIn('{{host.name}}: {{ disks.0.free }} {{ok}}', body)).to.equal('db-1: 0 false')
    expect(filledIn('[{{none}}{{host.x.y}}{{disks.7}}{{__proto__}}{{ok.constructor}}]', body)).to.equal('[]')
    expect(filledIn('{{disks}} {{}} {{a b}} {{', body)).to.equal('[{"free":0}] {{}} {{a b}} {{')
  })

  it('A4: mentions by its own words, never by a value', () => {
    const values = { a: '@bob', b: '@everyone', c: 'cleo', d: '' }
    const told = (template: string) => mentionTokens(filledIn(template, values))
    expect(told('@ada {{a}} {{b}}')).to.deep.equal(['ada'])
    for (const template of ['@{{c}}', '@{{d}}{{c}}', '@{{d}}everyone', '{{a}}{{c}}'])
      expect(told(template), template).to.deep.equal([])
  })

  for (const fence of ['```', '~~~'])
    it(`A4: keeps values within its fence of ${fence}`, () => {
      const value = `x\n${fence}\n@bob ${fence}${fence}`
      const blocks = blocksOf(filledIn(`${fence}\n{{a}}\n${fence}`, { a: value }))
      expect(blocks.map(block => block.kind)).to.deep.equal(['code'])
    })

  it('has no more than the wanted characters of its values, however often it repeats them', () => {
    const template = '{{a}}'.repeat(400)
    expect(filledWithin(template, { a: '@'.repeat(250_000) }, 100)).to.have.length(200)
    expect(filledWithin(template, { a: { b: 'x'.repeat(250_000) } }, 100)).to.have.length(100)
    expect(filledWithin('{{a}}', { a: '🎉🎉' }, 3).isWellFormed()).to.equal(true)
  })
})
