import { expect } from 'chai'
import { isUnavailable } from './postgres.ts'

describe('a failed query', () => {
  it('means an unavailable database when the name server, the network or the server itself failed', () => {
    for (const code of [
      'EAI_AGAIN',
      'ENOTFOUND',
      'ECONNREFUSED',
      'ETIMEDOUT',
      '08006',
      '53300',
      '57P03',
      '57014',
    ])
      expect(isUnavailable(Object.assign(new Error('query'), { code })), code).to.equal(true)
  })

  it('means an unavailable database while a restore replaces it', () => {
    const failure = (code: string, severity: string) =>
      Object.assign(new Error('connection'), { code, severity })
    expect(isUnavailable(failure('55000', 'FATAL')), 'it takes no connections').to.equal(true)
    expect(isUnavailable(failure('3D000', 'FATAL')), 'it has no name').to.equal(true)
    expect(isUnavailable(failure('55000', 'ERROR')), 'of a statement').to.equal(false)
  })

  it('means a fault of ours when the statement is wrong', () => {
    for (const code of ['42601', '23505', '22P02', undefined])
      expect(isUnavailable(Object.assign(new Error('query'), { code })), String(code)).to.equal(false)
  })
})
