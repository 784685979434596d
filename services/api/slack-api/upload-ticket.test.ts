import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Config } from '#shared/runtime/config.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import { ticketFor, ticketIn } from './upload-ticket.ts'

describe('tickets of uploads', () => {
  const config = { sessionSecret: 'one' } as Config
  const held = { token: 7, upload: randomUUID() }

  it('name a token and an upload for ten minutes', () => {
    const ticket = ticketFor(config, 1_000, held)
    expect(ticket).to.match(/^[\w-]{80,300}$/)
    expect(ticketIn(config, 1_599, ticket)).to.deep.equal(held)
    expect(ticketIn(config, 1_600, ticket)).to.equal(undefined)
  })

  it('outlive a new key, and open with no other', () => {
    const ticket = ticketFor(config, 0, held)
    const renewed = { sessionSecret: 'two', previousSessionSecret: 'one' } as Config
    expect(ticketIn(renewed, 0, ticket)).to.deep.equal(held)
    expect(ticketIn({ sessionSecret: 'two' } as Config, 0, ticket)).to.equal(undefined)
  })

  it('are nothing else that the server seals, nor what a sender changed', () => {
    const ticket = ticketFor(config, 0, held)
    const other = secretsUnder(config).seal(JSON.stringify([7, held.upload, 1_000]), 'hooks_in:7:sign')
    for (let at = 0; at < ticket.length - 1; at += 5) {
      const changed = `${ticket.slice(0, at)}${ticket[at] === 'A' ? 'B' : 'A'}${ticket.slice(at + 1)}`
      expect(ticketIn(config, 0, changed), String(at)).to.equal(undefined)
    }
    for (const text of ['', 'x', '%00', 'A'.repeat(10_000), other.toString('base64url')])
      expect(ticketIn(config, 0, text)).to.equal(undefined)
  })
})
