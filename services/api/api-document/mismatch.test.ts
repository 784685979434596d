import { expect } from 'chai'
import * as v from 'valibot'
import { endpoint, nothing, payload } from '../middleware/endpoint.ts'
import { mismatchOf } from './mismatch.fixture.ts'

describe('the check of responses against their entries', () => {
  const notes = endpoint(
    'GET /notes/:id',
    {
      who: 'signed in',
      answers: { 200: payload(v.array(v.strictObject({ id: v.number() }))), 304: nothing },
      fails: [404],
    },
    () => [{ id: 1 }],
  )
  const sent = (
    status: number,
    body: unknown,
    { type = 'application/json', hasToken = false, retryAfter = '' } = {},
  ) =>
    mismatchOf(notes, {
      ...{ status, type, hasToken, retryAfter },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })

  it('accepts a body of the schema, errors of the form, and a response without a body', () => {
    expect(sent(200, [{ id: 1 }, { id: 2 }])).to.equal(undefined)
    expect(sent(200, '')).to.equal(undefined)
    expect(sent(304, '', { type: '' })).to.equal(undefined)
    expect(sent(404, { error: 'not found', code: 'not_found' })).to.equal(undefined)
    expect(sent(302, '', { type: '' })).to.equal(undefined)
  })

  it('names the place of an unknown, a missing and a wrong key', () => {
    expect(sent(200, [{ id: 1 }, { id: 2, text: 'Hello' }])).to.match(/^1\.text: /)
    expect(sent(200, [{}])).to.match(/^0\.id: /)
    expect(sent(200, [{ id: '1' }])).to.match(/^0\.id: .*"1"/)
    expect(sent(200, {})).to.match(/^the body: /)
  })

  it('names a status that the entry does not list, and another type than JSON', () => {
    expect(sent(201, [])).to.equal('is not listed by its entry: []')
    expect(sent(409, 'used', { type: 'text/plain' })).to.equal('is not listed by its entry: used')
    expect(sent(200, '[]', { type: 'text/plain' })).to.equal('is text/plain')
  })

  it('names a refusal by a limit without the seconds to wait', () => {
    const refusal = { error: 'too many requests', code: 'rate_limited' }
    expect(sent(429, refusal)).to.equal('has no Retry-After')
    expect(sent(429, refusal, { retryAfter: '5' })).to.equal(undefined)
  })

  it('names an error in another form', () => {
    expect(sent(404, { error: 'not found' })).to.match(/^code: /)
    expect(sent(404, { error: 'not found', code: 'not_found', why: 'gone' })).to.match(/^why: /)
    expect(sent(404, { error: 'not found', code: 'gone' })).to.equal('code: gone for not_found')
    expect(sent(404, 'not found', { type: 'text/plain' })).to.equal('is text/plain: not found')
    expect(sent(404, '<p>Not found</p>', { type: 'text/html' })).to.equal(undefined)
  })

  it('expects a request_id in errors for tokens, which any endpoint may refuse', () => {
    const known = { error: 'not found', code: 'not_found', request_id: '1' }
    expect(sent(404, known, { hasToken: true })).to.equal(undefined)
    expect(sent(404, known)).to.match(/^request_id: /)
    expect(sent(404, { error: 'not found', code: 'not_found' }, { hasToken: true })).to.match(/^request_id: /)
    expect(sent(401, { ...known, code: 'unauthorized' }, { hasToken: true })).to.equal(undefined)
  })
})
