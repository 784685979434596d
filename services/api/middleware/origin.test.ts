import { expect } from 'chai'
import type { Request } from 'express'
import { addressForOthers, originForOthers } from './origin.ts'

describe('the origin of links for other people', () => {
  const req = (host: string) => ({ protocol: 'http', get: () => host }) as unknown as Request
  const known = (frontDoorHost?: string, publicUrl?: string) => ({
    frontDoorHost,
    publicUrl: publicUrl === undefined ? undefined : new URL(publicUrl),
  })

  it('is PUBLIC_URL, or the address of the request if others can open it', () => {
    expect(originForOthers(req('localhost:3000'), known('0.0.0.0', 'https://chat.lan'))).to.equal(
      'https://chat.lan',
    )
    for (const host of ['192.168.1.20:3000', 'chat.lan', '[fd00::1]:3000'])
      expect(originForOthers(req(host), known('0.0.0.0'))).to.equal(`http://${host}`)
  })

  it('is the address of this machine in the office for a request of this machine', () => {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000'])
      expect(originForOthers(req(host), known('10.0.0.7')), host).to.equal('http://10.0.0.7:3000')
    expect(addressForOthers(req('localhost'), known('10.0.0.7'))).to.equal('http://10.0.0.7')
  })

  it('is told to be of this machine alone where nothing better is known', () => {
    for (const door of ['127.0.0.1', undefined]) {
      expect(originForOthers(req('localhost:3000'), known(door))).to.equal('http://localhost:3000')
      expect(addressForOthers(req('localhost:3000'), known(door))).to.equal(null)
    }
  })
})
