import { expect } from 'chai'
import { frameMismatch } from './frame-mismatch.fixture.ts'
import { comment, frame, retry } from './frames.ts'

describe('the check of frames against the schemas of their events', () => {
  it('accepts data of the schema, and frames without data', () => {
    expect(frameMismatch(frame('unread_count', { count: 2 }).text)).to.equal(undefined)
    expect(frameMismatch(frame('messages', [], 1.5).text)).to.equal(undefined)
    expect(frameMismatch(frame('counts', { full: {}, hash: '0123456789abcdef' }).text)).to.equal(undefined)
    expect(frameMismatch(retry(3_000).text)).to.equal(undefined)
    expect(frameMismatch(comment('keep-alive').text)).to.equal(undefined)
  })

  it('names the event, and the place of an unknown, a missing and a wrong key', () => {
    expect(frameMismatch(frame('unread_count', { count: 2, more: 1 }).text)).to.match(/^unread_count: more: /)
    expect(frameMismatch(frame('messages', [{}], 1.5).text)).to.match(/^messages: 0\.id: /)
    expect(
      frameMismatch(frame('counts', { full: { general: '1' }, hash: '0123456789abcdef' }).text),
    ).to.match(/^counts: full\.general: /)
    expect(frameMismatch('event: greetings\ndata: {}\n\n')).to.equal('greetings has no schema')
  })
})
