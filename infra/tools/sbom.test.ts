import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { sbomOf } from './sbom.ts'

describe('the SBOM', () => {
  const { components } = sbomOf(ROOT)
  const find = (wanted: string) => components.find(({ name }) => name === wanted)

  it('has the packages of the services and of the client, and none for development', () => {
    for (const name of ['node', 'express', 'preact', '@preact/signals']) expect(find(name), name).to.exist
    for (const name of ['chai', 'mocha', 'vite']) expect(find(name), name).to.equal(undefined)
  })

  it('identifies each by version, address, licence and checksum', () => {
    expect(find('@preact/signals')).to.include({ type: 'library' })
    expect(find('@preact/signals')!.purl).to.match(/^pkg:npm\/%40preact\/signals@\d/)
    expect(find('express')!.licenses).to.deep.equal([{ expression: 'MIT' }])
    expect(find('express')!.hashes![0].content).to.match(/^[0-9a-f]{128}$/)
    const references = components.map(component => component['bom-ref'])
    expect(new Set(references).size).to.equal(references.length)
  })
})
